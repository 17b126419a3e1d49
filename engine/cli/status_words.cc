#include "engine/cli/status_words.h"

namespace toposeg::cli {

std::string_view word(Standing standing) {
  switch (standing) {
    case Standing::kPlaced:
      return "placed";
    case Standing::kApart:
      return "apart";
    case Standing::kWaiting:
      break;
  }
  return "waiting";
}

std::string_view word(PodState state) {
  switch (state) {
    case PodState::kBound:
      return "bound";
    case PodState::kGated:
      return "gated";
    case PodState::kUnscheduled:
      return "unscheduled";
    case PodState::kFailed:
      return "failed";
    case PodState::kMissing:
      break;
  }
  return "missing";
}

}  // namespace toposeg::cli
