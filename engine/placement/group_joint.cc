// The part of the group planner that takes part in a joint plan: what the group asks for, and what it makes
// of the answer.
#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "engine/joint/cost.h"
#include "engine/placement/group_planner.h"
#include "engine/placement/stickiness.h"

namespace toposeg::engine {

namespace {

// Shapes of a workload's question: the workers', then the Master's or leader's.
constexpr int kWorkerShape = 0;
constexpr int kExtraShape = 1;

}  // namespace

bool GroupPlanner::needs_joint_plan() const {
  const std::set<int> begun = begun_segments();
  const int asked = scope_.workload.segments.count();
  if (std::any_of(begun.begin(), begun.end(),
                  [&](int segment) { return segment < asked && !missing(segment).empty(); }))
    return true;
  const std::vector<Seat> apart = seats_apart();
  return std::count_if(apart.begin(), apart.end(),
                       [&](const Seat& seat) { return !committed(seat) && !scope_.is_done(seat); }) > 1;
}

std::vector<Seat> GroupPlanner::missing(int segment) const {
  std::vector<Seat> seats = seats_of(segment);
  std::erase_if(seats, [&](const Seat& seat) { return committed(seat) || scope_.is_done(seat); });
  return seats;
}

// The pods of the extra shape come first.
void GroupPlanner::ask(JointProblem& problem, JointItem item, std::optional<int> segment,
                       std::vector<Seat> seats) {
  const auto is_extra = [&](const Seat& seat) { return &scope_.shape(seat) != &scope_.workload.worker; };
  std::sort(seats.begin(), seats.end(), [&](const Seat& a, const Seat& b) {
    return std::pair(!is_extra(a), a) < std::pair(!is_extra(b), b);
  });
  const auto extras = static_cast<int>(std::count_if(seats.begin(), seats.end(), is_extra));
  const int rest = static_cast<int>(seats.size()) - extras;
  if (extras > 0) item.parts.push_back({kExtraShape, extras});
  if (rest > 0) item.parts.push_back({kWorkerShape, rest});
  item.group = question_group_;
  errands_.push_back({static_cast<int>(problem.items.size()), segment, std::move(seats)});
  problem.items.push_back(std::move(item));
}

void GroupPlanner::ask_for_begun(JointProblem& problem) {
  JointGroup group;
  group.whole_required = whole_ ? kAnywhere : scope_.levels.whole_required;
  group.whole_preferred = scope_.levels.whole_preferred;
  group.within = whole_.value_or(kRoot);
  group.measure = kWorkerShape;
  for (const Vertex v : vertices_in_use(desk_, scope_)) {
    if (scope_.tree->level(v) == scope_.tree->levels()) group.in_use.push_back(v);
  }
  question_group_ = static_cast<int>(problem.groups.size());
  problem.groups.push_back(std::move(group));
  for (const int segment : begun_segments()) {
    if (segment < scope_.workload.segments.count()) ask_for_missing(problem, segment);
  }
}

void GroupPlanner::ask_for_missing(JointProblem& problem, int segment) {
  std::vector<Seat> seats = missing(segment);
  if (seats.empty()) return;
  JointItem item;
  item.home = home_of(segment);
  // Pods that live farther apart than the segment may: the others cannot make it right.
  if (item.home != kRoot && scope_.tree->level(item.home) < scope_.levels.segment_required) return;
  if (item.home != kRoot) {
    item.required = scope_.levels.segment_required;
    item.goal = std::max(scope_.levels.goal(), scope_.tree->level(item.home));
  }
  item.rank = needed(segment) ? JointItem::Rank::kNeeded : JointItem::Rank::kOptional;
  ask(problem, std::move(item), segment, std::move(seats));
}

void GroupPlanner::ask_for_open(JointProblem& problem) {
  const std::set<int> begun = begun_segments();
  for (int segment = 0; segment < scope_.workload.segments.count(); ++segment) {
    if (begun.contains(segment)) continue;
    JointItem item;
    item.required = scope_.levels.segment_required;
    item.goal = scope_.levels.goal();
    item.rank = needed(segment) ? JointItem::Rank::kNeeded : JointItem::Rank::kOptional;
    ask(problem, std::move(item), segment, seats_of(segment));
  }
  const std::vector<Seat> apart = seats_apart();
  if (scope_.workload.segments.size == 0) {
    for (int index = 0; index < scope_.workload.segments.pods; ++index) {
      const Seat seat = scope_.member(index);
      if (std::find(apart.begin(), apart.end(), seat) == apart.end())
        ask_for_pod(problem, seat, JointItem::Rank::kNeeded);
    }
  }
  for (const Seat& seat : apart) ask_for_pod(problem, seat, JointItem::Rank::kApart);
}

void GroupPlanner::ask_for_pod(JointProblem& problem, const Seat& seat, JointItem::Rank rank) {
  if (committed(seat) || scope_.is_done(seat)) return;
  JointItem item;
  item.rank = rank;
  ask(problem, std::move(item), std::nullopt, {seat});
}

PlannedGroup GroupPlanner::adopt(const JointPods& pods, Tally& tally) {
  PlannedGroup group;
  group.group = scope_.group;
  find_whole(pods);
  const std::set<int> begun = begun_segments();
  std::vector<int> open;
  for (int segment = 0; segment < scope_.workload.segments.count(); ++segment) {
    if (begun.contains(segment)) {
      group.segments.push_back(adopt_begun(pods, segment));
    } else {
      open.push_back(segment);
    }
  }
  number_places(open, solution_of(pods, begun), group);
  std::sort(group.segments.begin(), group.segments.end(),
            [](const PlannedSegment& a, const PlannedSegment& b) { return a.segment < b.segment; });
  adopt_loose(pods, group, tally);
  settle_whole(group);
  reserve(group);
  return group;
}

void GroupPlanner::find_whole(const JointPods& pods) {
  if (whole_ || scope_.levels.whole_required == kAnywhere) return;
  for (const Errand& errand : errands_) {
    const std::vector<Vertex>& leaves = pods[static_cast<std::size_t>(errand.item)];
    if (leaves.empty()) continue;
    whole_ = scope_.tree->ancestor(leaves.front(), scope_.levels.whole_required);
    return;
  }
}

const GroupPlanner::Errand* GroupPlanner::errand_for(int segment) const {
  const auto errand = std::find_if(errands_.begin(), errands_.end(),
                                   [&](const Errand& each) { return each.segment == segment; });
  return errand == errands_.end() ? nullptr : &*errand;
}

PlannedSegment GroupPlanner::adopt_begun(const JointPods& pods, int segment) const {
  PlannedSegment planned = begun(segment);
  const Errand* errand = errand_for(segment);
  if (errand == nullptr) return planned;
  const std::vector<Vertex>& leaves = pods[static_cast<std::size_t>(errand->item)];
  Vertex domain = home_of(segment);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const auto pod = std::find_if(planned.pods.begin(), planned.pods.end(), [&](const PlannedPod& each) {
      return seat_of_pod(each) == errand->seats[i];
    });
    pod->host = host(leaves[i]);
    domain = common_domain(*scope_.tree, domain, leaves[i]);
  }
  name_domain(planned, domain);
  return planned;
}

// The places of the open segments, as the planner of one group would have written them.
Solution GroupPlanner::solution_of(const JointPods& pods, const std::set<int>& begun) const {
  const Tree& tree = *scope_.tree;
  Solution solution;
  std::vector<std::pair<Vertex, SegmentPlace>> places;  // with the first leaf
  for (const Errand& errand : errands_) {
    const std::vector<Vertex>& leaves = pods[static_cast<std::size_t>(errand.item)];
    if (!errand.segment || begun.contains(*errand.segment) || leaves.empty()) continue;
    SegmentPlace place;
    const Make make = make_of(*errand.segment);
    place.kind = make == Make::kFirst  ? SegmentPlace::Kind::kFirst
                 : make == Make::kFull ? SegmentPlace::Kind::kFull
                                       : SegmentPlace::Kind::kPartial;
    Vertex domain = leaves.front();
    for (const Vertex leaf : leaves) domain = common_domain(tree, domain, leaf);
    const int goal = scope_.levels.goal();
    place.domain = tree.ancestor(domain, std::min(tree.level(domain), goal));
    place.climbed = goal - tree.level(place.domain);
    const bool led = has_own_leader(*errand.segment);
    if (led) solution.extra_host = leaves.front();
    place.hosts_begin = static_cast<std::uint32_t>(solution.hosts.size());
    solution.hosts.insert(solution.hosts.end(), leaves.begin() + (led ? 1 : 0), leaves.end());
    place.hosts_end = static_cast<std::uint32_t>(solution.hosts.size());
    places.emplace_back(leaves.front(), place);
  }
  std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.second.kind, a.first, a.second.hosts_begin) <
           std::tuple(b.second.kind, b.first, b.second.hosts_begin);
  });
  for (const auto& [leaf, place] : places) solution.segments.push_back(place);
  return solution;
}

// Pods in no segment: those of one shape are numbered by the order of their hosts.
void GroupPlanner::adopt_loose(const JointPods& pods, PlannedGroup& group, Tally& tally) const {
  std::array<std::vector<Vertex>, 2> hosts;
  std::array<std::vector<Seat>, 2> seats;
  const std::vector<Seat> apart = seats_apart();
  const auto stands_apart = [&](const Seat& seat) {
    return std::find(apart.begin(), apart.end(), seat) != apart.end();
  };
  for (const Errand& errand : errands_) {
    if (errand.segment) continue;
    const Seat& seat = errand.seats.front();
    const std::size_t kind = stands_apart(seat) ? 1 : 0;
    seats[kind].push_back(seat);
    const std::vector<Vertex>& leaves = pods[static_cast<std::size_t>(errand.item)];
    hosts[kind].insert(hosts[kind].end(), leaves.begin(), leaves.end());
  }
  if (scope_.workload.segments.size == 0) {
    for (int index = 0; index < scope_.workload.segments.pods; ++index) {
      const Seat seat = scope_.member(index);
      if (committed(seat) && !stands_apart(seat))
        group.loose.push_back(pod_on(seat, desk_.ledger.find(scope_.owner, seat)->node));
    }
  }
  for (const std::size_t kind : {0U, 1U}) {
    std::sort(hosts[kind].begin(), hosts[kind].end());
    for (std::size_t i = 0; i < seats[kind].size(); ++i) {
      const bool placed = i < hosts[kind].size();
      // Pods apart without a place get one more chance at the end.
      if (placed || kind == 0)
        group.loose.push_back(pod_on(seats[kind][i], placed ? host(hosts[kind][i]) : std::string()));
      if (placed && kind == 0) ++tally.objective.needed_placed;
    }
  }
}

void GroupPlanner::finish(PlannedGroup& group, Tally& tally) {
  const std::set<int> begun = begun_segments();
  for (PlannedSegment& segment : group.segments) {
    if (begun.contains(segment.segment)) join_one_by_one(segment, home_of(segment.segment));
    count(segment, tally);
  }
  plan_rest(group, tally);
  explain(group);
  judge(group, tally);
}

}  // namespace toposeg::engine
