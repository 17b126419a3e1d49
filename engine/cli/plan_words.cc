#include "engine/cli/plan_words.h"

#include <algorithm>

#include "common/base/text.h"

namespace toposeg::cli {

std::string_view word(engine::SegmentStatus status) {
  switch (status) {
    case engine::SegmentStatus::kPlaced:
      return "placed";
    case engine::SegmentStatus::kFree:
      return "free";
    case engine::SegmentStatus::kWaiting:
      break;
  }
  return "waiting";
}

std::string_view word(workload::Role role) {
  switch (role) {
    case workload::Role::kLeader:
      return "leader";
    case workload::Role::kMaster:
      return "master";
    case workload::Role::kWorker:
      break;
  }
  return "worker";
}

engine::SegmentStatus status_of(const std::vector<engine::PlannedPod>& loose, bool constrained) {
  const bool hosts =
      std::all_of(loose.begin(), loose.end(), [](const auto& pod) { return !pod.host.empty(); });
  if (hosts) return engine::SegmentStatus::kPlaced;
  return constrained ? engine::SegmentStatus::kWaiting : engine::SegmentStatus::kFree;
}

std::string path_text(const std::vector<std::string>& path) { return join(path, "/"); }

}  // namespace toposeg::cli
