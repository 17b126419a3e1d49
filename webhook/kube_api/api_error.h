// Why a call to the API server did not succeed: what a program decides on, and the sentence for people.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/error.h"
#include "common/json/decode.h"

namespace toposeg::webhook::kube_api {

// NOLINTBEGIN(readability-redundant-member-init): GCC wants them in designated initialisers.

enum class Failure : std::uint8_t {
  kAnswered,     // the API server said no: `status` tells
  kLocal,        // nothing was sent: credentials or files are at fault
  kUnreachable,  // no connection
  kUntrusted,    // TLS failed, mostly because of a certificate
  kBroken,       // the connection ended before the answer did
  kSilent,       // nothing came for the read timeout
  kMalformed,    // the answer is not what the API promises
  kStopped,      // by us
};

struct ApiError {
  Failure failure = Failure::kLocal;
  Error error;
  int status = 0;        // HTTP status, or the code of a Status within a stream; 0 unless kAnswered
  std::string reason{};  // of the Status, such as Expired or AlreadyExists; may be empty
  std::optional<std::chrono::seconds> retry_after{};
  bool version_too_large = false;  // the server has not come to the resourceVersion that was asked for

  [[nodiscard]] bool answered(int code) const { return failure == Failure::kAnswered && status == code; }
  // The resourceVersion, or the continue token, is too old.
  [[nodiscard]] bool expired() const { return answered(410); }
  [[nodiscard]] std::string text() const { return error.text(); }
};

template <typename T>
using Answer = std::expected<T, ApiError>;

// `where` = method and URL without the query, such as "GET https://10.0.0.1:443/api/v1/pods".
[[nodiscard]] std::unexpected<ApiError> failed(Failure failure, Code code, std::string message,
                                               std::string where);

// An answer with another status than 2xx. `body` is a Status, of which the message is shown, or any other
// text, of which the beginning is. `retry_after` = the header's value, "" without one; it wins over the
// Status's own.
[[nodiscard]] ApiError refused(int status, std::string_view body, std::string_view retry_after,
                               std::string where);

// A Status that came as the object of an ERROR event, within an answer of 200.
[[nodiscard]] ApiError refused(const json::Document& status, std::string where);

// NOLINTEND(readability-redundant-member-init)

}  // namespace toposeg::webhook::kube_api
