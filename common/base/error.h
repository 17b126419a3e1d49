// Errors are values: every fallible function of the project returns Result<T>.
//
//   Result<int> parse_port(std::string_view text);
//   auto port = parse_port(flag);
//   if (!port) return std::unexpected(port.error());
//
// An Error is written for the person who has to act on it: `where` names the place (a field path such as
// `spec.pytorchReplicaSpecs.Worker.replicas`, or `file:line`), `message` the value found and what would be
// right.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace toposeg {

// Canonical codes; http_status() of the admission layer maps them to the review's status.
enum class Code {
  kInvalid,      // the input is wrong and stays wrong until somebody edits it
  kNotFound,     // something named does not exist
  kConflict,     // two inputs contradict each other
  kUnfit,        // the input is right but nothing has room for it now
  kTooLarge,     // a limit on size, depth or count was exceeded
  kUnavailable,  // a file, a peer or a program cannot be reached; trying again may help
  kInternal,     // a fault of this program
};

struct Error {
  Code code = Code::kInternal;
  std::string message;
  std::string where;  // may be empty

  // "where: message", or the message alone.
  [[nodiscard]] std::string text() const { return where.empty() ? message : where + ": " + message; }
  friend bool operator==(const Error&, const Error&) = default;
};

template <typename T>
using Result = std::expected<T, Error>;

// Shorthand for returning a failure: `return fail(Code::kInvalid, "…", "spec.x");`
[[nodiscard]] inline std::unexpected<Error> fail(Code code, std::string message, std::string where = {}) {
  return std::unexpected(Error{code, std::move(message), std::move(where)});
}

}  // namespace toposeg
