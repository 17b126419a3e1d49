#include "engine/placement/pod_placer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/placement/decision.h"
#include "engine/placement/group_planner.h"
#include "engine/placement/reasons.h"
#include "engine/placement/stickiness.h"

namespace toposeg::engine {

PodPlacer::PodPlacer(Desk& desk, const Scope& scope, const workload::Member& member, const kube::PodSpec& pod,
                     bool whole_known, std::size_t cluster_nodes)
    : desk_(desk),
      scope_(scope),
      member_(member),
      seat_(seat_of(member)),
      claim_(std::make_shared<Claim>(Claim{pod.requests, pod.host_ports})),
      pod_(pod),
      whole_known_(whole_known),
      cluster_nodes_(cluster_nodes) {}

PodDecision PodPlacer::place() {
  if (std::optional<PodDecision> decision = from_ledger()) return *std::move(decision);
  const bool needs_whole = scope_.levels.whole_required != kAnywhere && !whole_foothold(desk_, scope_);
  if (needs_whole) return with_the_group();
  const std::optional<int> segment = scope_.segment_of(seat_);
  return segment ? in_segment(*segment) : outside_segments();
}

std::optional<PodDecision> PodPlacer::from_ledger() {
  const SeatEntry* entry = desk_.ledger.find(scope_.owner, seat_);
  if (entry == nullptr) return std::nullopt;
  if (!entry->living() && !usable(desk_, scope_, *entry, pod_, *claim_)) {
    desk_.ledger.withdraw(scope_.owner, seat_);
    return std::nullopt;
  }
  std::optional<PodDecision> decision = admitted();
  decision->from_reservation = true;
  return decision;
}

// What the seat in the ledger says, which from now on waits for its pod to be bound.
std::optional<PodDecision> PodPlacer::admitted() {
  const SeatEntry* entry = desk_.ledger.find(scope_.owner, seat_);
  if (entry == nullptr) return std::nullopt;
  desk_.ledger.admit(scope_.owner, seat_, claim_, desk_.now);
  return decide(bare_decision(scope_.workload, member_), desk_, scope_, *entry, cluster_nodes_);
}

// The required domain of the workload is not chosen yet: that needs a look at the whole group.
PodDecision PodPlacer::with_the_group() {
  Tally tally;
  const PlannedGroup group = GroupPlanner(desk_, scope_).plan(tally);
  if (std::optional<PodDecision> decision = admitted()) return *std::move(decision);
  for (const PlannedSegment& segment : group.segments) {
    if (segment.segment == scope_.segment_of(seat_) && !segment.reasons.empty())
      return homeless(segment.reasons[0]);
  }
  if (whole_foothold(desk_, scope_)) {  // it came beyond the pods that the workload asked for
    const std::optional<int> segment = scope_.segment_of(seat_);
    return segment ? in_segment(*segment) : outside_segments();
  }
  return homeless(group.reasons.empty() ? "no room" : group.reasons.back());
}

PodDecision PodPlacer::in_segment(int segment) {
  if (std::optional<PodDecision> decision = beside_siblings(segment)) return *std::move(decision);
  const workload::Segments& segments = scope_.workload.segments;
  const int asked = segments.pods_in(segment);
  // A pod that only knows itself, or came beyond the asked ones, speaks for a full segment if one has room.
  const bool guess = asked == 0 || (!whole_known_ && member_.index + 1 >= segments.pods);
  std::string reason;
  std::vector<int> sizes;
  if (guess) sizes.push_back(std::max(segments.size, asked));
  const int least = std::max(asked, segments.rank(member_.index) + 1);
  if (sizes.empty() || sizes[0] != least) sizes.push_back(least);
  for (const int pods : sizes) {
    if (std::optional<PodDecision> decision = anew(segment, pods, reason)) return *std::move(decision);
  }
  return homeless(std::move(reason));
}

// None when there are no siblings, or only planned ones in whose domain there is no room (they are given
// back).
std::optional<PodDecision> PodPlacer::beside_siblings(int segment) {
  const std::optional<Foothold> home = foothold(desk_, scope_, segment);
  if (!home) return std::nullopt;
  const std::optional<Vertex> whole = whole_foothold(desk_, scope_);
  const Vertex start = home->domain == kRoot ? whole.value_or(kRoot) : home->domain;
  const int up_to = std::max(scope_.levels.segment_required, whole ? scope_.tree->level(*whole) : kAnywhere);
  if (std::optional<PodDecision> decision = join(start, up_to, segment)) return decision;
  if (!home->committed) {
    give_back_planned(segment);
    return std::nullopt;
  }
  const auto view = desk_.views.view(scope_.tree, scope_.shape(seat_));
  return homeless(fmt::format("segment {}: its pods live in {}, which cannot take another; {}", segment,
                              path_text(*scope_.tree, start), node_counts_under(*view, start)));
}

void PodPlacer::give_back_planned(int segment) {
  const GroupEntry* group = desk_.ledger.find(scope_.owner, scope_.group);
  std::vector<Seat> planned;
  for (const auto& [seat, entry] : group->seats) {
    if (!entry.committed() && scope_.segment_of(seat) == segment) planned.push_back(seat);
  }
  for (const Seat& seat : planned) desk_.ledger.withdraw(scope_.owner, seat);
}

std::optional<PodDecision> PodPlacer::anew(int segment, int pods, std::string& reason) {
  const PlannedSegment planned = GroupPlanner(desk_, scope_).plan_segment(segment, pods);
  if (std::optional<PodDecision> decision = admitted()) return decision;
  if (!planned.reasons.empty()) reason = planned.reasons[0];
  return std::nullopt;
}

PodDecision PodPlacer::outside_segments() {
  if (!scope_.workload.whole.any()) return bare_decision(scope_.workload, member_);
  const std::optional<Vertex> whole = whole_foothold(desk_, scope_);
  const std::optional<Foothold> home = foothold(desk_, scope_, std::nullopt);
  if (!home && !whole) return with_the_group();
  const Vertex start = home && home->domain != kRoot ? home->domain : whole.value_or(kRoot);
  const int up_to = whole ? scope_.tree->level(*whole) : kAnywhere;
  if (std::optional<PodDecision> decision = join(start, up_to, std::nullopt)) return *std::move(decision);
  const auto view = desk_.views.view(scope_.tree, scope_.shape(seat_));
  const Vertex widest = scope_.tree->ancestor(start, up_to);
  return homeless(fmt::format("{} has no room for it; {}", path_text(*scope_.tree, widest),
                              node_counts_under(*view, widest)));
}

std::optional<PodDecision> PodPlacer::join(Vertex from, int up_to, std::optional<int> segment) {
  const std::optional<Nook> nook = find_nook(desk_, scope_, seat_, from, up_to);
  if (!nook) return std::nullopt;
  const Vertex whole = whole_foothold(desk_, scope_).value_or(kRoot);
  const auto spot = std::make_shared<Spot>(
      Spot{scope_.tree->topology(), segment, scope_.tree->path(nook->domain), scope_.tree->path(whole)});
  desk_.ledger.reserve(scope_.owner, seat_, scope_.tree->name(nook->leaf), claim_, spot, desk_.now);
  return admitted();
}

PodDecision PodPlacer::homeless(std::string reason) {
  PodDecision decision = bare_decision(scope_.workload, member_);
  decision.levels = scope_.tree->level_labels();
  const bool required = scope_.levels.whole_required != kAnywhere ||
                        (decision.segment && scope_.levels.segment_required != kAnywhere);
  decision.status = required ? SegmentStatus::kWaiting : SegmentStatus::kFree;
  decision.reason = std::move(reason);
  return decision;
}

}  // namespace toposeg::engine
