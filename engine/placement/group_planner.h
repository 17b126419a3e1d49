// Plans one replica group: translates its open segments to a Problem, the planner's answer back to numbered
// segments with pods, and writes each placed pod into the ledger. What already lives stays where it is; only
// the rest is planned.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/placement/engine.h"
#include "engine/placement/scope.h"

namespace toposeg::engine {

// Sums over the groups of a plan.
struct Tally {
  Objective objective;
  bool fits = true;
  bool proven = true;
};

// One use: plan() or plan_segment(). The ledger's owner must be settled before.
class GroupPlanner {
 public:
  GroupPlanner(Desk& desk, const Scope& scope);

  // The whole group. Seats that are only planned are given back first, unless they are to be kept.
  PlannedGroup plan(Tally& tally, bool keep_planned = false);
  // One segment anew, taking it to have that many pods. None of its seats may be committed.
  PlannedSegment plan_segment(int segment, int pods);
  // Reserves what was planned before, as Engine::take_up() says.
  void take_up(const RememberedGroup& remembered);

 private:
  enum class Make : std::uint8_t { kFirst, kFull, kPartial };

  [[nodiscard]] int pods_in(int segment) const;
  [[nodiscard]] bool has_own_leader(int segment) const;
  [[nodiscard]] Make make_of(int segment) const;
  [[nodiscard]] bool needed(int segment) const { return segment < scope_.workload.needed_segments; }
  [[nodiscard]] bool committed(const SeatEntry& entry) const { return keeps_planned_ || entry.committed(); }
  [[nodiscard]] bool committed(const Seat& seat) const;
  [[nodiscard]] std::set<int> begun_segments() const;
  [[nodiscard]] bool constrained() const;
  [[nodiscard]] std::optional<Seat> seat_apart() const;
  [[nodiscard]] std::vector<Seat> seats_of(int segment) const;

  void give_back_planned();
  void take_up_members();
  void take_up_segment(int segment, Vertex domain);
  void plan_segments(PlannedGroup& group, Tally& tally);
  void plan_members(PlannedGroup& group, Tally& tally);
  void plan_rest(PlannedGroup& group, Tally& tally);
  void place_open(const std::vector<int>& open, std::optional<Seat> apart, PlannedGroup& group, Tally& tally);
  [[nodiscard]] Problem problem_for(const std::vector<int>& open) const;
  [[nodiscard]] Problem base_problem() const;
  Solution solve(const Problem& problem, Tally& tally);
  [[nodiscard]] PlannedSegment blank(int segment, SegmentStatus status) const;
  [[nodiscard]] PlannedSegment translate(int segment, const SegmentPlace& place,
                                         const Solution& solution) const;
  [[nodiscard]] PlannedSegment unplaced(int segment) const;
  PlannedSegment complete(int segment, Tally& tally);
  void place_apart(const Seat& seat, PlannedGroup& group, Tally& tally);
  void settle_whole(PlannedGroup& group);
  void reserve(const PlannedGroup& group);
  void reserve_pod(const PlannedPod& pod, const std::shared_ptr<const Spot>& spot);
  void explain(PlannedGroup& group);
  void explain_waiting(PlannedSegment& segment, int placed);
  void explain_climb(PlannedSegment& segment);
  [[nodiscard]] std::string loose_reason(const PlannedPod& pod);
  [[nodiscard]] std::string host(Vertex leaf) const { return scope_.tree->name(leaf); }
  [[nodiscard]] PlannedPod pod_on(const Seat& seat, std::string host) const;
  [[nodiscard]] Seat seat_of_pod(const PlannedPod& pod) const;
  [[nodiscard]] std::shared_ptr<const CapacityView> view_of(const Seat& seat);

  Desk& desk_;
  const Scope& scope_;
  bool keeps_planned_ = false;                  // planned seats count as committed ones
  std::optional<Vertex> pinned_;                // the only domain that is looked at
  std::optional<Vertex> whole_;                 // of the workload-level required level, once known
  std::optional<std::pair<int, int>> resized_;  // segment, pods: other than the workload says
  std::shared_ptr<const Claim> worker_claim_;
  std::shared_ptr<const Claim> extra_claim_;
  std::map<int, std::string> climb_texts_;  // pods of a segment -> why it climbed
  std::map<int, std::string> waiting_texts_;
};

}  // namespace toposeg::engine
