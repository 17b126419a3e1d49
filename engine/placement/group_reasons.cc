// The part of the group planner that says why something waits, climbed or has no host.
#include <fmt/format.h>

#include <algorithm>

#include "engine/placement/group_planner.h"
#include "engine/placement/holds.h"
#include "engine/placement/reasons.h"
#include "engine/placement/siblings.h"

namespace toposeg::engine {

void GroupPlanner::explain(PlannedGroup& group) {
  const auto placed =
      static_cast<int>(std::count_if(group.segments.begin(), group.segments.end(), [](const auto& s) {
        return !s.pods.empty() && !s.pods[0].host.empty() && s.status != SegmentStatus::kWaiting;
      }));
  for (PlannedSegment& segment : group.segments) {
    const bool homeless = std::any_of(segment.pods.begin(), segment.pods.end(),
                                      [](const PlannedPod& pod) { return pod.host.empty(); });
    if (homeless) {
      explain_waiting(segment, placed);
    } else if (segment.climbed > 0) {
      explain_climb(segment);
    }
  }
  const auto total = static_cast<int>(group.segments.size());
  if (placed < total) {
    const int level = scope_.levels.segment_required;
    const std::string where = level == kAnywhere ? "now" : "at " + short_name(scope_.topology, level);
    group.reasons.push_back(fmt::format("{} of {} segments fit {}", placed, total, where));
  }
  for (const PlannedPod& pod : group.loose) {
    if (pod.host.empty()) group.reasons.push_back(loose_reason(pod));
  }
}

void GroupPlanner::explain_waiting(PlannedSegment& segment, int placed) {
  const int pods = pods_in(segment.segment);
  const bool leader = has_own_leader(segment.segment);
  std::string& text = waiting_texts_[leader ? -pods : pods];
  if (text.empty()) {
    std::optional<kube::PodSpec> extra;
    if (leader) extra = scope_.workload.extra_spec;
    const auto view = open_view(desk_, scope_, extra);
    const bool by_segment = scope_.levels.segment_required != kAnywhere;
    int level = by_segment ? scope_.levels.segment_required : scope_.levels.whole_required;
    const Vertex within = whole_.value_or(kRoot);
    if (!segment.domain.empty()) {
      const Vertex home = scope_.tree->find(segment.domain).value_or(within);
      text = fmt::format("its pods live in {}, which cannot take the others; {}",
                         path_text(*scope_.tree, home), node_counts_under(*view, home));
      segment.reasons.push_back(fmt::format("segment {}: {}", segment.segment, std::exchange(text, {})));
      return;
    }
    if (whole_ && placed > 0) {
      text = fmt::format("no {} can hold all {} segments (best: {} holds {}); ",
                         short_name(scope_.topology, scope_.tree->level(*whole_)),
                         scope_.workload.segments.count(), path_text(*scope_.tree, *whole_), placed);
    }
    text += fmt::format("{}; {}",
                        no_domain(*view, scope_.topology, level, within, leader ? pods - 1 : pods, leader),
                        node_counts(*view));
    if (const auto lone = lone_domains(desk_, scope_, scope_.workload.worker); !lone.empty()) {
      text += fmt::format("; its own pods keep others out of {} {}{}", lone.size(),
                          short_name(scope_.topology, scope_.tree->level(lone.front())),
                          lone.size() > 1 ? "s" : "");
    }
  }
  segment.reasons.push_back(fmt::format("segment {}: {}", segment.segment, text));
}

void GroupPlanner::explain_climb(PlannedSegment& segment) {
  const int pods = pods_in(segment.segment);
  const bool leader = has_own_leader(segment.segment);
  std::string& text = climb_texts_[leader ? -pods : pods];
  if (text.empty()) {
    std::optional<kube::PodSpec> extra;
    if (leader) extra = scope_.workload.extra_spec;
    const auto view =
        apart_from_siblings(desk_, scope_, desk_.views.view(scope_.tree, scope_.workload.worker, extra));
    text = no_domain(*view, scope_.topology, scope_.levels.goal(), whole_.value_or(kRoot),
                     leader ? pods - 1 : pods, leader);
  }
  const std::string reached =
      segment.level ? fmt::format("it shares one {} instead", short_name(scope_.topology, *segment.level))
                    : std::string("its pods are spread over the whole topology");
  segment.reasons.push_back(fmt::format("segment {}: {}; {}", segment.segment, text, reached));
}

std::string GroupPlanner::loose_reason(const PlannedPod& pod) {
  const auto view = view_of(seat_of_pod(pod));
  const std::string_view role = pod.role == workload::Role::kMaster   ? "Master"
                                : pod.role == workload::Role::kLeader ? "leader"
                                                                      : "pod";
  if (scope_.levels.whole_required == kAnywhere) {
    return fmt::format("{} {}: no node has room; {}", role, pod.index, node_counts(*view));
  }
  if (whole_) {
    return fmt::format("{} {}: {} has no room for it; {}", role, pod.index, path_text(*scope_.tree, *whole_),
                       node_counts_under(*view, *whole_));
  }
  return fmt::format("{} {}: no {} has room; {}", role, pod.index,
                     short_name(scope_.topology, scope_.levels.whole_required), node_counts(*view));
}

}  // namespace toposeg::engine
