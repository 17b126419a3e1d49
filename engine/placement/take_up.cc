// Taking up an earlier plan again, of which only the domains are known.
#include <algorithm>

#include "engine/placement/state.h"
#include "engine/placement/stickiness.h"

namespace toposeg::engine {

void Engine::State::take_up(const workload::Workload& workload, const RememberedPlan& remembered) {
  const bool can_hold = !workload.identity.name.empty() && workload.owns_pods && !workload.suspended;
  if (!can_hold || !workload.constrained()) return;
  Result<Scope> scope = scope_of(workload, 0);
  if (!scope) return;
  const Tree& tree = *scope->tree;
  if (remembered.topology != tree.topology() || remembered.levels != tree.level_labels()) return;
  const Owner owner = owner_of(workload.identity);
  if (ledger.settle(owner, workload.identity.uid, Ledger::Word::kFirm) == Ledger::Settled::kFresh) {
    roster.recount(owner, workload.identity.uid);
  }
  Desk tools = desk({});
  for (const RememberedGroup& group : remembered.groups) {
    if (group.group < 0 || group.group >= workload.groups) continue;
    scope->group = group.group;
    GroupPlanner(tools, *scope).take_up(group);
  }
  ledger.prune(owner);
}

void GroupPlanner::take_up(const RememberedGroup& remembered) {
  const Tree& tree = *scope_.tree;
  give_back_planned();
  whole_ = whole_foothold(desk_, scope_);
  const std::optional<Vertex> whole = tree.find(remembered.whole_domain);
  if (!whole_ && whole && *whole != kRoot && tree.level(*whole) == scope_.levels.whole_required)
    whole_ = whole;
  if (scope_.workload.segments.size == 0) return take_up_members();
  const std::set<int> begun = begun_segments();
  for (const RememberedSegment& segment : remembered.segments) {
    const bool is_open = segment.segment >= 0 && segment.segment < scope_.workload.segments.count() &&
                         !begun.contains(segment.segment);
    const std::optional<Vertex> domain = tree.find(segment.domain);
    if (is_open && domain && *domain != kRoot) take_up_segment(segment.segment, *domain);
  }
}

// Without segments only the domain of the whole is known.
void GroupPlanner::take_up_members() {
  if (!whole_) return;
  PlannedGroup group;
  Tally tally;
  plan_members(group, tally);
  const bool fits = std::none_of(group.loose.begin(), group.loose.end(),
                                 [](const PlannedPod& pod) { return pod.host.empty(); });
  settle_whole(group);
  if (fits) reserve(group);
}

void GroupPlanner::take_up_segment(int segment, Vertex domain) {
  const Tree& tree = *scope_.tree;
  const int level = tree.level(domain);
  const bool outside =
      whole_ && (level < tree.level(*whole_) || tree.ancestor(domain, tree.level(*whole_)) != *whole_);
  if (outside || level < scope_.levels.segment_required) return;
  pinned_ = domain;
  PlannedGroup group;
  Tally tally;
  place_open({segment}, std::nullopt, group, tally);
  pinned_.reset();
  if (group.segments[0].status == SegmentStatus::kPlaced) reserve(group);
}

}  // namespace toposeg::engine
