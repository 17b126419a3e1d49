// Plans one replica group: translates its open segments to a Problem, the planner's answer back to numbered
// segments with pods, and writes each placed pod into the ledger. What already lives stays where it is; only
// the rest is planned. Groups that have to be planned together ask one joint question instead
// (joint_plan.cc).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/joint/problem.h"
#include "engine/placement/engine.h"
#include "engine/placement/reasons.h"
#include "engine/placement/scope.h"

namespace toposeg::engine {

// Sums over the groups of a plan.
struct Tally {
  Objective objective;
  bool fits = true;
  bool proven = true;
};

// One use: plan(), plan_segment(), or the steps of a joint plan in their order. The ledger's owner must be
// settled before.
class GroupPlanner {
 public:
  GroupPlanner(Desk& desk, const Scope& scope);

  // The whole group. Seats that are only planned are given back first, unless they are to be kept.
  PlannedGroup plan(Tally& tally, bool keep_planned = false);
  // One segment anew, taking it to have that many pods. None of its seats may be committed.
  PlannedSegment plan_segment(int segment, int pods);
  // Reserves what was planned before, as Engine::take_up() says.
  void take_up(const RememberedGroup& remembered);

  // A joint plan: every group takes each step before any of them takes the next one.
  // Gives back what is only planned.
  void begin(bool keep_planned = false);
  // True when the group alone needs a joint plan: pods of begun segments are missing, or several pods that
  // stand apart.
  [[nodiscard]] bool needs_joint_plan() const;
  // Adds the group, and what completes its begun segments, to a question.
  void ask_for_begun(JointProblem& problem);
  // Adds its open segments, and its pods apart.
  void ask_for_open(JointProblem& problem);
  // Takes the question's answer and reserves it.
  PlannedGroup adopt(const JointPods& pods, Tally& tally);
  // Places one by one what the answer has no place for, where there is room; says why for the others.
  void finish(PlannedGroup& group, Tally& tally);

 private:
  enum class Make : std::uint8_t { kFirst, kFull, kPartial };

  // Where room is left for a segment at the level it wanted, once all are placed.
  struct ClimbRoom {
    std::shared_ptr<const CapacityView> view;
    Roomiest best;
  };

  // What an item of the joint question stands for.
  struct Errand {
    int item = 0;
    std::optional<int> segment;  // none: one pod outside all segments
    std::vector<Seat> seats;     // in the order of the item's pods
  };

  [[nodiscard]] int pods_in(int segment) const;
  [[nodiscard]] bool has_own_leader(int segment) const;
  [[nodiscard]] Make make_of(int segment) const;
  [[nodiscard]] bool needed(int segment) const { return segment < scope_.workload.needed_segments; }
  [[nodiscard]] bool committed(const SeatEntry& entry) const { return keeps_planned_ || entry.committed(); }
  [[nodiscard]] bool committed(const Seat& seat) const;
  [[nodiscard]] std::set<int> begun_segments() const;
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
  [[nodiscard]] PlannedSegment begun(int segment) const;
  [[nodiscard]] Vertex home_of(int segment) const;
  void name_domain(PlannedSegment& planned, Vertex domain) const;
  void join_one_by_one(PlannedSegment& planned, Vertex home);
  void count(const PlannedSegment& planned, Tally& tally) const;
  [[nodiscard]] std::vector<Seat> seats_apart() const;
  [[nodiscard]] std::vector<Seat> missing(int segment) const;
  void ask(JointProblem& problem, JointItem item, std::optional<int> segment, std::vector<Seat> seats);
  void ask_for_pod(JointProblem& problem, const Seat& seat, JointItem::Rank rank);
  void ask_for_missing(JointProblem& problem, int segment);
  void find_whole(const JointPods& pods);
  [[nodiscard]] PlannedSegment adopt_begun(const JointPods& pods, int segment) const;
  [[nodiscard]] Solution solution_of(const JointPods& pods, const std::set<int>& begun) const;
  void adopt_loose(const JointPods& pods, PlannedGroup& group, Tally& tally) const;
  [[nodiscard]] const Errand* errand_for(int segment) const;
  void number_places(const std::vector<int>& open, const Solution& solution, PlannedGroup& group) const;
  void order_loose(PlannedGroup& group) const;
  void place_apart(const Seat& seat, PlannedGroup& group, Tally& tally);
  void settle_whole(PlannedGroup& group);
  void reserve(const PlannedGroup& group);
  void judge(const PlannedGroup& group, Tally& tally) const;
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
  std::vector<Errand> errands_;
  int question_group_ = 0;  // in the joint question
  ClimbRoom room_;          // of segments that climbed
  ClimbRoom room_beside_leader_;
  std::map<int, std::string> waiting_texts_;
};

}  // namespace toposeg::engine
