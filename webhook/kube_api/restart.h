// The reasons for which following a resource begins again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "webhook/kube_api/api_error.h"

namespace toposeg::webhook::kube_api {

// Why a watch, or the way to one, had to begin again.
enum class Restart : std::uint8_t {
  kEnded,         // by the API server, as it does after some minutes
  kVeryShort,     // within a second and without an event
  kExpired,       // 410: the version is too old
  kThrottled,     // 429
  kServerError,   // 5xx
  kUnauthorised,  // 401, 403
  kAbsent,        // 404: no such resource
  kRefused,       // any other status
  kUnreachable,   // no connection, or one that is not trusted
  kDisconnected,  // the connection was lost
  kSilent,        // nothing came, not even a bookmark
  kMalformed,     // not what the API promises
};
inline constexpr std::size_t kRestartReasons = 12;
[[nodiscard]] std::string_view name_of(Restart reason);  // ended, very_short, … for metrics
[[nodiscard]] Restart reason_of(const ApiError& error);

}  // namespace toposeg::webhook::kube_api
