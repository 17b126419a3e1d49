#include "webhook/kube_api/api_error.h"

#include <fmt/format.h>

#include <utility>

#include "common/base/text.h"
#include "common/base/whole_number.h"
#include "common/json/pointer.h"
#include "common/kube/parse_protobuf.h"

namespace toposeg::webhook::kube_api {

namespace {

constexpr std::size_t kShown = 500;
constexpr std::chrono::seconds kLongestRetryAfter{600};  // whatever is asked for

Code code_of(int status) {
  switch (status) {
    case 404:
      return Code::kNotFound;
    case 409:
      return Code::kConflict;
    case 413:
      return Code::kTooLarge;
    case 408:
    case 410:
    case 429:
      return Code::kUnavailable;
    default:
      return status >= 400 && status < 500 ? Code::kInvalid : Code::kUnavailable;
  }
}

std::optional<std::int64_t> integer_of(const json::Document* value) {
  if (value == nullptr || !value->is_number_integer()) return std::nullopt;
  return value->get<std::int64_t>();
}

std::optional<std::chrono::seconds> bounded(std::optional<std::int64_t> seconds) {
  if (!seconds || *seconds < 0) return std::nullopt;
  return std::chrono::seconds(std::min<std::int64_t>(*seconds, kLongestRetryAfter.count()));
}

// The header may also hold a date, which the API server never sends.
std::optional<std::chrono::seconds> parse_seconds(std::string_view text) {
  return bounded(whole_number(text));
}

// A server that lags behind the one that gave the version answers so, with 504.
bool tells_version_too_large(const json::Document& status) {
  const json::Document* causes = json::at(status, {"details", "causes"});
  if (causes != nullptr && causes->is_array()) {
    for (const json::Document& cause : *causes) {
      if (json::member_text(&cause, "reason") == "ResourceVersionTooLarge") return true;
    }
  }
  return json::member_text(&status, "message").find("Too large resource version") != std::string::npos;
}

std::string sentence(int status, const std::string& reason, const std::string& message) {
  std::string name = reason.empty() ? std::string() : " " + truncated(reason, 60);
  return message.empty() ? fmt::format("the API server answered {}{}", status, name)
                         : fmt::format("the API server answered {}{}: {}", status, name, message);
}

std::string shown(std::string_view message) {
  // Unquoted where it can stand so; quote() escapes what cannot.
  const std::string quoted = quote(message, kShown);
  const std::string_view inner = std::string_view(quoted).substr(1, quoted.size() - 2);
  return inner == message ? std::string(message) : quoted;
}

}  // namespace

std::unexpected<ApiError> failed(Failure failure, Code code, std::string message, std::string where) {
  return std::unexpected(ApiError{.failure = failure, .error = {code, std::move(message), std::move(where)}});
}

ApiError refused(int status, std::string_view body, std::string_view retry_after, std::string where) {
  ApiError error{
      .failure = Failure::kAnswered, .error = {code_of(status), {}, std::move(where)}, .status = status};
  std::string message;
  const auto document =
      kube::is_protobuf(body) ? kube::parse_protobuf(body, error.error.where) : json::decode(body);
  if (document && document->is_object() && json::member_text(&*document, "kind") == "Status") {
    error.reason = json::member_text(&*document, "reason");
    message = shown(json::member_text(&*document, "message"));
    error.version_too_large = tells_version_too_large(*document);
    error.retry_after = bounded(integer_of(json::at(*document, {"details", "retryAfterSeconds"})));
  } else if (!body.empty()) {
    message = shown(body);
  }
  if (const auto header = parse_seconds(retry_after)) error.retry_after = header;
  error.error.message = sentence(status, error.reason, message);
  return error;
}

ApiError refused(const json::Document& status, std::string where) {
  const auto code = integer_of(json::member(&status, "code"));
  const int known = code && *code >= 100 && *code <= 599 ? static_cast<int>(*code) : 500;
  ApiError error = refused(known, {}, {}, std::move(where));
  error.reason = json::member_text(&status, "reason");
  error.version_too_large = tells_version_too_large(status);
  error.retry_after = bounded(integer_of(json::at(status, {"details", "retryAfterSeconds"})));
  error.error.message = sentence(known, error.reason, shown(json::member_text(&status, "message")));
  return error;
}

}  // namespace toposeg::webhook::kube_api
