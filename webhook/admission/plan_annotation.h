// The root annotation toposeg.io/plan: the planned domain of each segment, short enough to keep on the
// object.
//
// The text is JSON:
//
//   {"v":1,"topology":"cluster-topology","levels":["zone","block","rack"],
//    "groups":[{"group":0,"whole":["zone-a"],"runs":[[2,0,"zone-a","block-1","rack-1"],[1,2,"rack-2"],[3,-1]]}]}
//
// A run is [segments, kept, values…]: so many consecutive segments in one domain, whose path is the first
// `kept` values of the last domain named in this group, followed by `values`. kept = -1: these segments wait;
// -2: they are free. `whole` (the domain of the whole replica group) is left out when there is none.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "engine/placement/engine.h"

namespace toposeg::webhook {

inline constexpr std::size_t kPlanAnnotationBytes = 64U << 10U;

struct SegmentSummary {
  engine::SegmentStatus status = engine::SegmentStatus::kWaiting;
  std::vector<std::string> domain;  // empty unless kPlaced
  friend bool operator==(const SegmentSummary&, const SegmentSummary&) = default;
};

struct GroupSummary {
  int group = 0;
  std::vector<std::string> whole;
  std::vector<SegmentSummary> segments;
  friend bool operator==(const GroupSummary&, const GroupSummary&) = default;
};

struct PlanSummary {
  std::string topology;
  std::vector<std::string> levels;
  std::vector<GroupSummary> groups;
  friend bool operator==(const PlanSummary&, const PlanSummary&) = default;
};

// What of a plan the annotation keeps. Segments in order of their number.
[[nodiscard]] PlanSummary summarise(const engine::Plan& plan);

// None when the text would be longer than kPlanAnnotationBytes. Deterministic; linear time.
[[nodiscard]] std::optional<std::string> plan_annotation(const PlanSummary& summary);

// Reads such a text back. kInvalid names what is wrong; kTooLarge for a text over the limit or one that
// unfolds to more than 200,000 segments.
[[nodiscard]] Result<PlanSummary> parse_plan_annotation(std::string_view text);

}  // namespace toposeg::webhook
