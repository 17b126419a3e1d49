#include "engine/cli/plan_words.h"

#include <fmt/format.h>

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

std::string_view word(engine::PlanGap::Wish wish) {
  using Wish = engine::PlanGap::Wish;
  switch (wish) {
    case Wish::kNeeded:
      return "neededPlaced";
    case Wish::kOptional:
      return "optionalPlaced";
    case Wish::kApart:
      return "apartPlaced";
    case Wish::kEarlier:
      return "earlierPlaced";
    case Wish::kClimbed:
      return "climbed";
    case Wish::kWhole:
      return "wholeMissed";
    case Wish::kDomains:
      return "domains";
    case Wish::kAltogether:
      return "domainsAltogether";
    case Wish::kLeftover:
      break;
  }
  return "leftover";
}

std::string gap_text(const engine::PlanGap& gap, const std::string& level) {
  using Wish = engine::PlanGap::Wish;
  switch (gap.wish) {
    case Wish::kNeeded:
      return fmt::format("{} needed segments placed, at most {} can be", gap.value, gap.bound);
    case Wish::kOptional:
      return fmt::format("{} optional segments placed, at most {} can be", gap.value, gap.bound);
    case Wish::kApart:
      return fmt::format("{} Masters or leaders placed, at most {} can be", gap.value, gap.bound);
    case Wish::kEarlier:
      return "segments of lower numbers might be placed instead";
    case Wish::kClimbed:
      return fmt::format("{} levels climbed, at least {} must be", gap.value, gap.bound);
    case Wish::kWhole:
      return fmt::format("groups {} levels above their preferred common one, at least {} must be", gap.value,
                         gap.bound);
    case Wish::kDomains:
      return fmt::format("{} domains of {} used, at least {} are needed", gap.value, level, gap.bound);
    case Wish::kAltogether:
      return fmt::format("{} domains of {} used by all groups together, at least {} are needed", gap.value,
                         level, gap.bound);
    case Wish::kLeftover:
      break;
  }
  return fmt::format("room for {} pods in the domains of {} used, at least {} is needed", gap.value, level,
                     gap.bound);
}

std::string path_text(const std::vector<std::string>& path) { return join(path, "/"); }

}  // namespace toposeg::cli
