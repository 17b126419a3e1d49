#include "webhook/kube_api/restart.h"

#include <array>

namespace toposeg::webhook::kube_api {

Restart reason_of(const ApiError& error) {
  switch (error.failure) {
    case Failure::kAnswered:
      if (error.expired()) return Restart::kExpired;
      if (error.status == 429) return Restart::kThrottled;
      if (error.status == 401 || error.status == 403) return Restart::kUnauthorised;
      if (error.status == 404) return Restart::kAbsent;
      return error.status >= 500 ? Restart::kServerError : Restart::kRefused;
    case Failure::kBroken:
    case Failure::kStopped:
      return Restart::kDisconnected;
    case Failure::kSilent:
      return Restart::kSilent;
    case Failure::kMalformed:
      return Restart::kMalformed;
    case Failure::kLocal:
    case Failure::kUnreachable:
    case Failure::kUntrusted:
      break;
  }
  return Restart::kUnreachable;
}

std::string_view name_of(Restart reason) {
  constexpr std::array<std::string_view, kRestartReasons> kNames = {
      "ended",  "very_short", "expired",     "throttled",    "server_error", "unauthorised",
      "absent", "refused",    "unreachable", "disconnected", "silent",       "malformed"};
  return kNames.at(static_cast<std::size_t>(reason));
}

}  // namespace toposeg::webhook::kube_api
