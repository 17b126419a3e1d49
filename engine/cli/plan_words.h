// The words that stand for parts of a plan, the same in every output form.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/placement/engine.h"

namespace toposeg::cli {

[[nodiscard]] std::string_view word(engine::SegmentStatus status);  // placed | waiting | free
[[nodiscard]] std::string_view word(workload::Role role);           // worker | leader | master

// Pods in no segment: placed when each has a host. `constrained` = a level holds for them.
[[nodiscard]] engine::SegmentStatus status_of(const std::vector<engine::PlannedPod>& loose, bool constrained);

// What may be better than in the plan: neededPlaced | optionalPlaced | apartPlaced | earlierPlaced | climbed
// | wholeMissed | domains | domainsAltogether | leftover.
[[nodiscard]] std::string_view word(engine::PlanGap::Wish wish);
// "5 domains of rack used, at least 4 are needed". `level` names the gap's level.
[[nodiscard]] std::string gap_text(const engine::PlanGap& gap, const std::string& level);

// "zone-a/block-1"; empty for an empty path.
[[nodiscard]] std::string path_text(const std::vector<std::string>& path);

}  // namespace toposeg::cli
