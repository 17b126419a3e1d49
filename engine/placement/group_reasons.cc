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

// Where the segment's own pods stand they are in nobody's way: a rack that they leave half full holds them
// all the same.
void GroupPlanner::explain_climb(PlannedSegment& segment) {
  const bool leader = has_own_leader(segment.segment);
  const int pods = pods_in(segment.segment) - (leader ? 1 : 0);
  const Tree& tree = *scope_.tree;
  const int goal = scope_.levels.goal();
  const Vertex within = whole_.value_or(kRoot);
  ClimbRoom& room = leader ? room_beside_leader_ : room_;
  if (!room.view) {
    std::optional<kube::PodSpec> extra;
    if (leader) extra = scope_.workload.extra_spec;
    room.view =
        apart_from_siblings(desk_, scope_, desk_.views.view(scope_.tree, scope_.workload.worker, extra));
    room.best = roomiest(*room.view, goal, within, leader);
  }
  Roomiest best = room.best;
  std::map<Vertex, int> own;    // its workers in each domain
  std::optional<Vertex> leads;  // the domain whose place for the leader is taken by it
  for (const PlannedPod& pod : segment.pods) {
    const std::optional<Vertex> leaf = tree.leaf(pod.host);
    if (!leaf) continue;
    const Vertex domain = tree.ancestor(*leaf, goal);
    const bool is_leader = leader && pod.role == workload::Role::kLeader;
    own[domain] += is_leader ? 0 : 1;
    if (is_leader) leads = domain;
  }
  for (const auto& [domain, workers] : own) {
    const bool beside = leader && leads != domain;
    best.add(domain, std::max(0, beside ? room.view->beside(domain) : room.view->capacity(domain)) + workers);
  }
  const std::string text = no_domain(tree, scope_.topology, goal, within, pods, leader, best);
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
