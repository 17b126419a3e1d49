#include "engine/placement/group_planner.h"

#include <algorithm>
#include <utility>

#include "engine/placement/holds.h"
#include "engine/placement/siblings.h"
#include "engine/placement/stickiness.h"

namespace toposeg::engine {

namespace {

std::shared_ptr<const Claim> claim_of(const kube::PodSpec& spec) {
  return std::make_shared<Claim>(Claim{spec.requests, spec.host_ports});
}

void add(std::vector<std::int64_t>& sums, const std::vector<std::int64_t>& values) {
  sums.resize(std::max(sums.size(), values.size()), 0);
  for (std::size_t i = 0; i < values.size(); ++i) sums[i] += values[i];
}

}  // namespace

GroupPlanner::GroupPlanner(Desk& desk, const Scope& scope)
    : desk_(desk),
      scope_(scope),
      worker_claim_(claim_of(scope.workload.worker)),
      extra_claim_(scope.workload.extra_spec ? claim_of(*scope.workload.extra_spec) : worker_claim_) {}

int GroupPlanner::pods_in(int segment) const {
  return resized_ && resized_->first == segment ? resized_->second
                                                : scope_.workload.segments.pods_in(segment);
}

bool GroupPlanner::has_own_leader(int segment) const {
  return segment == 0 && scope_.leader_differs() && !scope_.leader_stands_apart();
}

GroupPlanner::Make GroupPlanner::make_of(int segment) const {
  const int pods = pods_in(segment);
  const int size = scope_.workload.segments.size;
  if (has_own_leader(segment) || pods > size) return Make::kFirst;
  return pods == size ? Make::kFull : Make::kPartial;
}

bool GroupPlanner::committed(const Seat& seat) const {
  const SeatEntry* entry = desk_.ledger.find(scope_.owner, seat);
  return entry != nullptr && committed(*entry);
}

std::vector<Seat> GroupPlanner::seats_of(int segment) const {
  std::vector<Seat> seats;
  const int first = scope_.workload.segments.first(segment);
  seats.reserve(static_cast<std::size_t>(std::max(0, pods_in(segment))));
  for (int i = 0; i < pods_in(segment); ++i) seats.push_back(scope_.member(first + i));
  return seats;
}

// Segments in which a pod lives or was admitted, also one beyond those that the workload asks for now; and
// those whose pods have all succeeded.
std::set<int> GroupPlanner::begun_segments() const {
  std::set<int> begun;
  for (int segment = 0; scope_.done != nullptr && segment < scope_.workload.segments.count(); ++segment) {
    const std::vector<Seat> seats = seats_of(segment);
    const bool is_over =
        std::all_of(seats.begin(), seats.end(), [&](const Seat& seat) { return scope_.is_done(seat); });
    if (is_over) begun.insert(segment);
  }
  const GroupEntry* group = desk_.ledger.find(scope_.owner, scope_.group);
  if (group == nullptr) return begun;
  for (const auto& [seat, entry] : group->seats) {
    const std::optional<int> segment = committed(entry) ? scope_.segment_of(seat) : std::nullopt;
    if (segment) begun.insert(*segment);
  }
  return begun;
}

std::optional<Seat> GroupPlanner::seat_apart() const {
  const workload::Workload& workload = scope_.workload;
  if (workload.extra == workload::ExtraRole::kMaster && workload.masters > 0) return scope_.master(0);
  const bool unsegmented_leader = workload.segments.size == 0 && scope_.leader_differs();
  if (workload.segments.pods > 0 && (scope_.leader_stands_apart() || unsegmented_leader))
    return scope_.member(0);
  return std::nullopt;
}

PlannedPod GroupPlanner::pod_on(const Seat& seat, std::string host) const {
  return {.index = seat.index, .role = role_of(scope_.workload, seat), .host = std::move(host)};
}

Seat GroupPlanner::seat_of_pod(const PlannedPod& pod) const {
  return pod.role == workload::Role::kMaster ? scope_.master(pod.index) : scope_.member(pod.index);
}

void GroupPlanner::give_back_planned() {
  const GroupEntry* group = desk_.ledger.find(scope_.owner, scope_.group);
  if (group == nullptr) return;
  std::vector<Seat> planned;
  for (const auto& [seat, entry] : group->seats) {
    if (!entry.committed()) planned.push_back(seat);
  }
  for (const Seat& seat : planned) desk_.ledger.withdraw(scope_.owner, seat);
}

void GroupPlanner::begin(bool keep_planned) {
  keeps_planned_ = keep_planned;
  if (!keep_planned) give_back_planned();
  whole_ = whole_foothold(desk_, scope_);
}

PlannedGroup GroupPlanner::plan(Tally& tally, bool keep_planned) {
  PlannedGroup group;
  group.group = scope_.group;
  begin(keep_planned);
  if (scope_.workload.segments.size > 0) {
    plan_segments(group, tally);
  } else {
    plan_members(group, tally);
  }
  settle_whole(group);
  reserve(group);
  plan_rest(group, tally);
  explain(group);
  judge(group, tally);
  return group;
}

void GroupPlanner::judge(const PlannedGroup& group, Tally& tally) const {
  const bool lost =
      std::any_of(group.segments.begin(), group.segments.end(), [](const PlannedSegment& segment) {
        return segment.needed && segment.status == SegmentStatus::kWaiting;
      });
  const bool homeless =
      std::any_of(group.loose.begin(), group.loose.end(), [](const auto& pod) { return pod.host.empty(); });
  if (lost || (homeless && scope_.levels.whole_required != kAnywhere)) tally.fits = false;
}

PlannedSegment GroupPlanner::plan_segment(int segment, int pods) {
  resized_ = {segment, pods};
  whole_ = whole_foothold(desk_, scope_);
  PlannedGroup group;
  group.group = scope_.group;
  Tally tally;
  place_open({segment}, std::nullopt, group, tally);
  settle_whole(group);
  reserve(group);
  explain(group);
  return std::move(group.segments[0]);
}

void GroupPlanner::plan_segments(PlannedGroup& group, Tally& tally) {
  std::vector<int> open;
  const std::set<int> begun = begun_segments();
  for (int segment = 0; segment < scope_.workload.segments.count(); ++segment) {
    if (begun.contains(segment)) {
      group.segments.push_back(complete(segment, tally));
    } else {
      open.push_back(segment);
    }
  }
  std::optional<Seat> apart = seat_apart();
  if (apart && committed(*apart)) apart.reset();
  if (!open.empty()) place_open(open, apart, group, tally);
  std::sort(group.segments.begin(), group.segments.end(),
            [](const PlannedSegment& a, const PlannedSegment& b) { return a.segment < b.segment; });
}

Problem GroupPlanner::base_problem() const {
  Problem problem;
  problem.segment_required = scope_.levels.segment_required;
  problem.segment_preferred = scope_.levels.segment_preferred;
  problem.whole_required = whole_ ? kAnywhere : scope_.levels.whole_required;
  problem.within = whole_.value_or(kRoot);
  problem.in_use = vertices_in_use(desk_, scope_);
  if (pinned_) {
    problem.segment_required = scope_.tree->level(*pinned_);
    problem.segment_preferred = kAnywhere;
    problem.within = *pinned_;
  }
  return problem;
}

Problem GroupPlanner::problem_for(const std::vector<int>& open) const {
  Problem problem = base_problem();
  problem.size = scope_.workload.segments.size;
  for (const int segment : open) {
    switch (make_of(segment)) {
      case Make::kFirst:
        problem.extra_in_first = has_own_leader(segment);
        problem.first = pods_in(segment) - (problem.extra_in_first ? 1 : 0);
        break;
      case Make::kFull:
        ++problem.full;
        break;
      case Make::kPartial:
        problem.partial = pods_in(segment);
        break;
    }
    if (needed(segment)) ++problem.needed;
  }
  return problem;
}

Solution GroupPlanner::solve(const Problem& problem, Tally& tally) {
  std::optional<kube::PodSpec> extra;
  if (problem.extra_in_first || problem.extra_apart)
    extra = scope_.workload.extra_spec.value_or(scope_.workload.worker);
  const auto view = open_view(desk_, scope_, extra);
  Solution solution = desk_.planner.solve(*view, problem, desk_.deadline);
  tally.objective.needed_placed += solution.needed_placed;
  tally.objective.optional_placed += solution.optional_placed;
  tally.objective.climbed += solution.cost.climbed;
  add(tally.objective.domains, solution.cost.domains);
  add(tally.objective.leftover, solution.cost.leftover);
  tally.proven = tally.proven && solution.proven;
  if (problem.whole_required != kAnywhere && solution.whole != kRoot) whole_ = solution.whole;
  return solution;
}

void GroupPlanner::place_open(const std::vector<int>& open, std::optional<Seat> apart, PlannedGroup& group,
                              Tally& tally) {
  Problem problem = problem_for(open);
  problem.extra_apart = apart.has_value();
  const Solution solution = solve(problem, tally);
  number_places(open, solution, group);
  if (apart && solution.extra_placed) group.loose.push_back(pod_on(*apart, host(solution.extra_host)));
}

// Segments get their numbers in the order of the places.
void GroupPlanner::number_places(const std::vector<int>& open, const Solution& solution,
                                 PlannedGroup& group) const {
  std::map<Make, std::vector<int>> numbers;
  for (const int segment : open) numbers[make_of(segment)].push_back(segment);
  std::map<Make, std::size_t> next;
  const auto take = [&](SegmentPlace::Kind kind) {
    const Make make = kind == SegmentPlace::Kind::kFirst  ? Make::kFirst
                      : kind == SegmentPlace::Kind::kFull ? Make::kFull
                                                          : Make::kPartial;
    return numbers.at(make).at(next[make]++);
  };
  for (const SegmentPlace& place : solution.segments) {
    group.segments.push_back(translate(take(place.kind), place, solution));
  }
  for (const auto& [make, segments] : numbers) {
    for (std::size_t i = next[make]; i < segments.size(); ++i)
      group.segments.push_back(unplaced(segments[i]));
  }
}

PlannedSegment GroupPlanner::blank(int segment, SegmentStatus status) const {
  PlannedSegment planned;
  planned.segment = segment;
  planned.needed = needed(segment);
  planned.status = status;
  return planned;
}

PlannedSegment GroupPlanner::translate(int segment, const SegmentPlace& place,
                                       const Solution& solution) const {
  PlannedSegment planned = blank(segment, SegmentStatus::kFree);
  planned.climbed = place.climbed;
  if (place.domain != kRoot) {
    planned.status = SegmentStatus::kPlaced;
    planned.level = scope_.tree->level(place.domain);
    planned.domain = scope_.tree->path(place.domain);
  }
  std::vector<Seat> seats = seats_of(segment);
  auto seat = seats.begin();
  if (place.kind == SegmentPlace::Kind::kFirst && has_own_leader(segment)) {
    planned.pods.push_back(pod_on(*seat++, host(solution.extra_host)));
  }
  for (std::uint32_t i = place.hosts_begin; i < place.hosts_end; ++i) {
    planned.pods.push_back(pod_on(*seat++, host(solution.hosts[i])));
  }
  return planned;
}

PlannedSegment GroupPlanner::unplaced(int segment) const {
  PlannedSegment planned =
      blank(segment, scope_.levels.must_hold() ? SegmentStatus::kWaiting : SegmentStatus::kFree);
  for (const Seat& seat : seats_of(segment)) planned.pods.push_back(pod_on(seat, {}));
  return planned;
}

// A segment some of whose pods are there already: the others join them.
PlannedSegment GroupPlanner::complete(int segment, Tally& tally) {
  PlannedSegment planned = begun(segment);
  join_one_by_one(planned, home_of(segment));
  count(planned, tally);
  return planned;
}

Vertex GroupPlanner::home_of(int segment) const {
  return foothold(desk_, scope_, segment).value_or(Foothold{}).domain;
}

// With the hosts of the pods that are there.
PlannedSegment GroupPlanner::begun(int segment) const {
  const Vertex home = home_of(segment);
  PlannedSegment planned = blank(segment, home == kRoot ? SegmentStatus::kFree : SegmentStatus::kPlaced);
  for (const Seat& seat : seats_of(segment)) {
    if (scope_.is_done(seat)) continue;
    const bool there = committed(seat);
    planned.pods.push_back(pod_on(seat, there ? desk_.ledger.find(scope_.owner, seat)->node : std::string()));
  }
  name_domain(planned, home);
  return planned;
}

void GroupPlanner::name_domain(PlannedSegment& planned, Vertex domain) const {
  if (domain == kRoot) return;
  planned.level = scope_.tree->level(domain);
  planned.domain = scope_.tree->path(domain);
  planned.climbed = std::max(0, scope_.levels.goal() - *planned.level);
}

// Pods without a place go to the home, or as near to it as there is room; each for itself.
void GroupPlanner::join_one_by_one(PlannedSegment& planned, Vertex home) {
  const int ceiling =
      std::max(scope_.levels.segment_required, whole_ ? scope_.tree->level(*whole_) : kAnywhere);
  const Vertex start = home == kRoot ? whole_.value_or(kRoot) : home;
  bool all = true;
  for (PlannedPod& pod : planned.pods) {
    const Seat seat = seat_of_pod(pod);
    if (!pod.host.empty() || committed(seat)) continue;
    const std::optional<Nook> nook = find_nook(desk_, scope_, seat, start, ceiling);
    all = all && nook.has_value();
    if (!nook) continue;
    pod.host = host(nook->leaf);
    const auto spot =
        std::make_shared<Spot>(Spot{scope_.tree->topology(), planned.segment, scope_.tree->path(nook->domain),
                                    scope_.tree->path(whole_.value_or(kRoot))});
    reserve_pod(pod, spot);
  }
  if (!all) planned.status = scope_.levels.must_hold() ? SegmentStatus::kWaiting : SegmentStatus::kFree;
}

void GroupPlanner::count(const PlannedSegment& planned, Tally& tally) const {
  const bool all = std::none_of(planned.pods.begin(), planned.pods.end(), [&](const PlannedPod& pod) {
    return pod.host.empty() && !committed(seat_of_pod(pod));
  });
  if (all) ++(planned.needed ? tally.objective.needed_placed : tally.objective.optional_placed);
  tally.objective.climbed += planned.climbed;
}

// A workload without segments: every pod is a segment of one, numbered by the order of hosts.
void GroupPlanner::plan_members(PlannedGroup& group, Tally& tally) {
  std::optional<Seat> apart = seat_apart();
  std::vector<Seat> open;
  for (int index = 0; index < scope_.workload.segments.pods; ++index) {
    const Seat seat = scope_.member(index);
    if (apart == seat || scope_.is_done(seat)) continue;
    if (committed(seat)) {
      group.loose.push_back(pod_on(seat, desk_.ledger.find(scope_.owner, seat)->node));
    } else {
      open.push_back(seat);
    }
  }
  if (apart && committed(*apart)) apart.reset();
  if (open.empty()) return;
  Problem problem = base_problem();
  problem.full = static_cast<int>(open.size());
  problem.needed = problem.full;
  problem.extra_apart = apart.has_value();
  const Solution solution = solve(problem, tally);
  for (std::size_t i = 0; i < open.size(); ++i) {
    const bool placed = i < solution.segments.size();
    group.loose.push_back(
        pod_on(open[i], placed ? host(solution.hosts[solution.segments[i].hosts_begin]) : ""));
  }
  if (apart && solution.extra_placed) group.loose.push_back(pod_on(*apart, host(solution.extra_host)));
}

// What stands apart and was not placed together with the segments: one at a time, near what the group uses.
void GroupPlanner::plan_rest(PlannedGroup& group, Tally& tally) {
  for (const Seat& seat : seats_apart()) place_apart(seat, group, tally);
  order_loose(group);
}

std::vector<Seat> GroupPlanner::seats_apart() const {
  std::vector<Seat> seats;
  if (const std::optional<Seat> apart = seat_apart()) seats.push_back(*apart);
  if (scope_.workload.extra == workload::ExtraRole::kMaster) {
    for (int index = 1; index < scope_.workload.masters; ++index) seats.push_back(scope_.master(index));
  }
  return seats;
}

void GroupPlanner::order_loose(PlannedGroup& group) const {
  std::sort(group.loose.begin(), group.loose.end(), [&](const PlannedPod& a, const PlannedPod& b) {
    return std::pair(a.role != workload::Role::kMaster, a.index) <
           std::pair(b.role != workload::Role::kMaster, b.index);
  });
}

void GroupPlanner::place_apart(const Seat& seat, PlannedGroup& group, Tally& tally) {
  const bool done = std::any_of(group.loose.begin(), group.loose.end(),
                                [&](const PlannedPod& pod) { return seat_of_pod(pod) == seat; });
  if (done || scope_.is_done(seat)) return;
  if (committed(seat)) {
    group.loose.push_back(pod_on(seat, desk_.ledger.find(scope_.owner, seat)->node));
    return;
  }
  const Vertex from = whole_.value_or(kRoot);
  const bool nowhere = scope_.levels.whole_required != kAnywhere && !whole_;
  const std::optional<Nook> nook =
      nowhere ? std::nullopt : find_nook(desk_, scope_, seat, from, scope_.tree->level(from));
  group.loose.push_back(pod_on(seat, nook ? host(nook->leaf) : std::string()));
  tally.proven = tally.proven && !desk_.deadline.expired();
  if (!nook) return;
  reserve_pod(group.loose.back(), std::make_shared<Spot>(Spot{scope_.tree->topology(), std::nullopt,
                                                              group.whole_domain, scope_.tree->path(from)}));
}

// The domain that holds every pod: the one chosen for the required level; for a preferred one, the closest
// domain at or above it that all hosts share.
void GroupPlanner::settle_whole(PlannedGroup& group) {
  const Tree& tree = *scope_.tree;
  if (scope_.levels.whole_required == kAnywhere && scope_.levels.whole_preferred == kAnywhere) return;
  std::optional<Vertex> common;
  const auto widen = [&](const PlannedPod& pod) {
    const std::optional<Vertex> leaf = pod.host.empty() ? std::nullopt : tree.leaf(pod.host);
    if (!leaf) return;
    Vertex other =
        tree.ancestor(*leaf, std::max(scope_.levels.whole_preferred, scope_.levels.whole_required));
    if (!common) common = other;
    const int level = std::min(tree.level(*common), tree.level(other));
    *common = tree.ancestor(*common, level);
    other = tree.ancestor(other, level);
    while (*common != other) {
      *common = tree.parent(*common);
      other = tree.parent(other);
    }
  };
  for (const PlannedSegment& segment : group.segments)
    std::for_each(segment.pods.begin(), segment.pods.end(), widen);
  std::for_each(group.loose.begin(), group.loose.end(), widen);
  if (!common) common = whole_;
  if (!common || *common == kRoot) return;
  group.whole_level = tree.level(*common);
  group.whole_domain = tree.path(*common);
}

void GroupPlanner::reserve(const PlannedGroup& group) {
  const std::vector<std::string> whole = scope_.tree->path(whole_.value_or(kRoot));
  for (const PlannedSegment& segment : group.segments) {
    const auto spot =
        std::make_shared<Spot>(Spot{scope_.tree->topology(), segment.segment,
                                    segment.domain.empty() ? group.whole_domain : segment.domain, whole});
    for (const PlannedPod& pod : segment.pods) {
      const SeatEntry* entry = desk_.ledger.find(scope_.owner, seat_of_pod(pod));
      if (entry == nullptr) reserve_pod(pod, spot);
    }
  }
  const auto spot =
      std::make_shared<Spot>(Spot{scope_.tree->topology(), std::nullopt, group.whole_domain, whole});
  for (const PlannedPod& pod : group.loose) {
    if (!committed(seat_of_pod(pod))) reserve_pod(pod, spot);
  }
}

void GroupPlanner::reserve_pod(const PlannedPod& pod, const std::shared_ptr<const Spot>& spot) {
  const Seat seat = seat_of_pod(pod);
  if (pod.host.empty() || scope_.is_done(seat)) return;
  const bool extra = &scope_.shape(seat) != &scope_.workload.worker;
  desk_.ledger.reserve(scope_.owner, seat, pod.host, extra ? extra_claim_ : worker_claim_, spot, desk_.now);
}

std::shared_ptr<const CapacityView> GroupPlanner::view_of(const Seat& seat) {
  return apart_from_siblings(desk_, scope_, desk_.views.view(scope_.tree, scope_.shape(seat)));
}

}  // namespace toposeg::engine
