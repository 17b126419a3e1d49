#include "engine/joint/sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

namespace toposeg::engine {

namespace {

std::string charge_key(int number) { return fmt::format("joint/{}", number); }

// Equal for units that are alike: the first of them.
std::vector<int> kinds_of(const std::vector<Unit>& units) {
  std::vector<int> kinds;
  std::vector<int> firsts;
  for (int i = 0; i < std::ssize(units); ++i) {
    const auto first = std::find_if(firsts.begin(), firsts.end(), [&](int other) {
      return same_question(units[static_cast<std::size_t>(other)], units[static_cast<std::size_t>(i)]);
    });
    kinds.push_back(first == firsts.end() ? i : *first);
    if (first == firsts.end()) firsts.push_back(i);
  }
  return kinds;
}

}  // namespace

std::vector<std::vector<int>> Sequence::orders(std::size_t most) const {
  std::vector<int> natural(units_.size());
  std::iota(natural.begin(), natural.end(), 0);
  std::vector<std::vector<int>> all;
  // Orders that differ by units which are alike are the same.
  const std::vector<int> kinds = kinds_of(units_);
  std::set<std::vector<int>> seen;
  const auto keep = [&](const std::vector<int>& order) {
    std::vector<int> kind_order;
    for (const int unit : order) kind_order.push_back(kinds[static_cast<std::size_t>(unit)]);
    if (all.size() < most && seen.insert(kind_order).second) all.push_back(order);
  };
  const auto keep_sorted = [&](auto key) {
    std::vector<int> order = natural;
    const auto place = [&](int unit) { return std::pair(key(units_[static_cast<std::size_t>(unit)]), unit); };
    std::sort(order.begin(), order.end(), [&](int a, int b) { return place(a) < place(b); });
    keep(order);
  };
  keep(natural);
  const auto room = [&](const Unit& unit) {
    return views_(problem_.shapes[static_cast<std::size_t>(unit.shape)], std::nullopt)
        ->capacity(unit.problem.within);
  };
  keep_sorted([&](const Unit& unit) { return room(unit); });
  keep_sorted([](const Unit& unit) { return -unit.problem.size; });
  keep_sorted([](const Unit& unit) { return -unit.problem.segment_required; });
  keep_sorted([](const Unit& unit) { return unit.home != kRoot ? 1 : 0; });
  keep(std::vector<int>(natural.rbegin(), natural.rend()));
  if (units_.size() <= 4) {
    std::vector<int> order = natural;
    do keep(order);
    while (std::next_permutation(order.begin(), order.end()));
  }
  // Each unit once before all others: an answer that a single early choice spoils is found this way.
  for (std::size_t first = 1; first < units_.size() && all.size() < most; ++first) {
    std::vector<int> order = natural;
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(first),
                order.begin() + static_cast<std::ptrdiff_t>(first) + 1);
    keep(order);
  }
  return all;
}

bool Sequence::inside(Vertex v, Vertex domain) const {
  return tree_.ancestor(v, tree_.level(domain)) == domain;
}

Sequence::Ongoing Sequence::start() const {
  Ongoing so_far;
  so_far.pods.resize(problem_.items.size());
  so_far.in_use.resize(problem_.groups.size());
  so_far.whole.resize(problem_.groups.size(), kRoot);
  return so_far;
}

std::vector<Vertex> Sequence::lone_domains(const Ongoing& so_far, const kube::PodSpec& shape) const {
  std::vector<Vertex> domains;
  const int level = repel_level(tree_, shape);
  if (level < 0) return domains;
  for (std::size_t i = 0; i < so_far.pods.size(); ++i) {
    each_part(problem_.items[i], so_far.pods[i], [&](int part, auto leaves) {
      if (!same_shape(problem_.shapes[static_cast<std::size_t>(part)], shape)) return;
      for (const Vertex leaf : leaves) domains.push_back(tree_.ancestor(leaf, level));
    });
  }
  return domains;
}

std::shared_ptr<const CapacityView> Sequence::view_for(const Ongoing& so_far, const kube::PodSpec& shape,
                                                       const std::optional<kube::PodSpec>& extra) const {
  std::shared_ptr<const CapacityView> view = views_(shape, extra);
  const std::vector<Vertex> lone = lone_domains(so_far, shape);
  const std::vector<Vertex> lone_extra = extra ? lone_domains(so_far, *extra) : std::vector<Vertex>();
  if (lone.empty() && lone_extra.empty()) return view;
  const auto open = std::make_shared<CapacityView>(*view);
  for (const Vertex domain : lone) open->close(domain);
  for (const Vertex domain : lone_extra) open->close_to_extra(domain);
  return open;
}

// True when all its items are placed.
bool Sequence::place(const Unit& planned, const Deadline& deadline, Ongoing& so_far) {
  Unit unit = planned;
  const auto group = static_cast<std::size_t>(unit.group);
  std::vector<Vertex>& in_use = so_far.in_use[group];
  Vertex& whole = so_far.whole[group];
  if (tree_.level(whole) > tree_.level(unit.problem.within)) unit.problem.within = whole;
  if (!inside(unit.problem.within, whole)) return false;
  const ViewSource views = [&](const kube::PodSpec& shape, const std::optional<kube::PodSpec>& extra) {
    return view_for(so_far, shape, extra);
  };
  (void)solve_unit(tree_, problem_, unit, in_use, views, planner_, deadline, so_far.pods);
  bool all = true;
  for (const int item : unit.items()) {
    const std::vector<Vertex>& leaves = so_far.pods[static_cast<std::size_t>(item)];
    all = all && !leaves.empty();
    in_use.insert(in_use.end(), leaves.begin(), leaves.end());
  }
  if (unit.problem.whole_required != kAnywhere && !in_use.empty())
    whole = tree_.ancestor(in_use.front(), unit.problem.whole_required);
  charge(unit, so_far.pods);
  return all;
}

JointPods Sequence::run(const std::vector<int>& order, const Deadline& deadline) {
  Ongoing so_far = start();
  for (const int index : order) (void)place(units_[static_cast<std::size_t>(index)], deadline, so_far);
  release();
  return std::move(so_far.pods);
}

bool Sequence::bound_to_domains(const Crowd& crowd) const {
  return std::any_of(crowd.lots.begin(), crowd.lots.end(), [&](const std::vector<int>& lot) {
    const JointItem& item = problem_.items[static_cast<std::size_t>(lot.front())];
    return item.within != kRoot || problem_.groups[static_cast<std::size_t>(item.group)].within != kRoot;
  });
}

JointPods Sequence::run_crowd(const Crowd& crowd, const Deadline& deadline) {
  Ongoing so_far = start();
  if (bound_to_domains(crowd)) return std::move(so_far.pods);
  const auto view = views_(problem_.shapes[static_cast<std::size_t>(crowd.shape)], std::nullopt);
  deal(crowd, planner_.solve(*view, crowd.problem, deadline), so_far);
  for (const std::vector<int>& lot : crowd.lots) {
    for (const int item : lot) add_leader(item, deadline, so_far);
  }
  drop_scattered(so_far);
  place_others(crowd, deadline, so_far);
  release();
  return std::move(so_far.pods);
}

// Lots get the segments in path order, so groups that follow each other are neighbours.
void Sequence::deal(const Crowd& crowd, const Solution& solution, Ongoing& so_far) {
  for (std::size_t lot = 0; lot < solution.segments.size(); ++lot) {
    std::uint32_t next = solution.segments[lot].hosts_begin;
    for (const int index : crowd.lots[lot]) {
      const JointItem& item = problem_.items[static_cast<std::size_t>(index)];
      std::vector<Vertex>& leaves = so_far.pods[static_cast<std::size_t>(index)];
      const auto pods = static_cast<std::uint32_t>(item.parts.back().pods);
      leaves.assign(solution.hosts.begin() + next, solution.hosts.begin() + next + pods);
      next += pods;
      std::vector<Vertex>& in_use = so_far.in_use[static_cast<std::size_t>(item.group)];
      in_use.insert(in_use.end(), leaves.begin(), leaves.end());
      charge(problem_.shapes[static_cast<std::size_t>(crowd.shape)], leaves);
    }
  }
}

// An item whose leader finds no place beside its workers is not placed.
void Sequence::add_leader(int index, const Deadline& deadline, Ongoing& so_far) {
  const JointItem& item = problem_.items[static_cast<std::size_t>(index)];
  std::vector<Vertex>& leaves = so_far.pods[static_cast<std::size_t>(index)];
  if (item.parts.size() < 2 || leaves.empty()) return;
  const kube::PodSpec& shape = problem_.shapes[static_cast<std::size_t>(item.parts.front().shape)];
  std::vector<Vertex>& in_use = so_far.in_use[static_cast<std::size_t>(item.group)];
  Problem one;
  one.full = one.needed = 1;
  one.within = tree_.ancestor(leaves.front(), item.goal);
  one.in_use = in_use;
  const auto view = view_for(so_far, shape, std::nullopt);
  const Solution& solution = planner_.solve(*view, one, deadline);
  if (item.parts.size() > 2 || item.parts.front().pods > 1 || solution.hosts.empty()) {
    leaves.clear();
    return;
  }
  const Vertex leaf = solution.hosts.front();
  leaves.insert(leaves.begin(), leaf);
  in_use.push_back(leaf);
  charge(shape, std::span(&leaf, 1));
}

// Groups that have to share a domain and came to stand in several are not placed.
void Sequence::drop_scattered(Ongoing& so_far) const {
  for (std::size_t group = 0; group < problem_.groups.size(); ++group) {
    const int level = problem_.groups[group].whole_required;
    std::vector<Vertex>& in_use = so_far.in_use[group];
    if (level == kAnywhere || in_use.empty()) continue;
    const Vertex whole = tree_.ancestor(in_use.front(), level);
    const bool all = std::all_of(in_use.begin(), in_use.end(), [&](Vertex v) { return inside(v, whole); });
    if (all) so_far.whole[group] = whole;
    for (std::size_t i = 0; i < problem_.items.size() && !all; ++i) {
      if (problem_.items[i].group == static_cast<int>(group)) so_far.pods[i].clear();
    }
    if (!all) in_use.clear();
  }
}

void Sequence::place_others(const Crowd& crowd, const Deadline& deadline, Ongoing& so_far) {
  std::vector<bool> done(problem_.items.size(), false);
  for (const std::vector<int>& lot : crowd.lots) {
    for (const int item : lot) done[static_cast<std::size_t>(item)] = true;
  }
  for (const Unit& unit : units_) {
    const std::vector<int> items = unit.items();
    const auto is_done = [&](int item) { return done[static_cast<std::size_t>(item)]; };
    if (std::none_of(items.begin(), items.end(), is_done)) {
      (void)place(unit, deadline, so_far);
      continue;
    }
    for (const int item : items) {
      if (!is_done(item)) (void)place(unit_of(tree_, problem_, item), deadline, so_far);
    }
  }
}

// Domains of the closest level that all units try to reach, in which each of them alone has room, those with
// the least room for the measure first.
std::vector<Vertex> Sequence::tightest_for(std::span<const Unit> units) const {
  constexpr std::size_t kMost = 6;
  int level = tree_.levels();
  std::vector<std::pair<std::shared_ptr<const CapacityView>, int>> wanted;
  for (const Unit& unit : units) {
    int pods = 0;
    for (const int index : unit.items()) {
      const JointItem& item = problem_.items[static_cast<std::size_t>(index)];
      if (item.goal != kAnywhere) level = std::min(level, item.goal);
      if (item.parts.back().shape == unit.shape) pods += item.parts.back().pods;
    }
    wanted.emplace_back(views_(problem_.shapes[static_cast<std::size_t>(unit.shape)], std::nullopt), pods);
  }
  const JointGroup& group = problem_.groups[static_cast<std::size_t>(units.front().group)];
  const auto measure = views_(problem_.shapes[static_cast<std::size_t>(group.measure)], std::nullopt);
  std::vector<Vertex> found;
  const VertexRange range = tree_.under(group.within, std::max(level, tree_.level(group.within)));
  for (Vertex v = range.begin; v < range.end; ++v) {
    const bool room = std::all_of(wanted.begin(), wanted.end(),
                                  [&](const auto& want) { return want.first->capacity(v) >= want.second; });
    if (room) found.push_back(v);
  }
  std::sort(found.begin(), found.end(), [&](Vertex a, Vertex b) {
    return std::pair(measure->capacity(a), a) < std::pair(measure->capacity(b), b);
  });
  found.resize(std::min(found.size(), kMost));
  return found;
}

bool Sequence::place_in(Vertex domain, std::span<const Unit> units, const Deadline& deadline,
                        Ongoing& so_far) {
  Ongoing tried = so_far;
  const int charges = charges_;
  for (const Unit& unit : units) {
    Unit part = unit;
    if (tree_.level(domain) > tree_.level(part.problem.within)) part.problem.within = domain;
    if (inside(part.problem.within, unit.problem.within) && place(part, deadline, tried)) continue;
    release(charges);
    return false;
  }
  so_far = std::move(tried);
  return true;
}

JointPods Sequence::run_by_group(const Deadline& deadline) {
  Ongoing so_far = start();
  for (std::size_t begin = 0; begin < units_.size();) {
    std::size_t end = begin;
    while (end < units_.size() && units_[end].group == units_[begin].group) ++end;
    const std::span<const Unit> units = std::span(units_).subspan(begin, end - begin);
    const std::vector<Vertex> domains = units.size() > 1 ? tightest_for(units) : std::vector<Vertex>{};
    const bool together = std::any_of(domains.begin(), domains.end(), [&](Vertex domain) {
      return place_in(domain, units, deadline, so_far);
    });
    for (std::size_t i = 0; i < units.size() && !together; ++i) (void)place(units[i], deadline, so_far);
    begin = end;
  }
  release();
  return std::move(so_far.pods);
}

void Sequence::charge(const Unit& unit, const JointPods& pods) {
  for (const int index : unit.items()) {
    const auto at = static_cast<std::size_t>(index);
    each_part(problem_.items[at], pods[at], [&](int shape, auto leaves) {
      charge(problem_.shapes[static_cast<std::size_t>(shape)], leaves);
    });
  }
}

void Sequence::charge(const kube::PodSpec& shape, std::span<const Vertex> leaves) {
  for (const Vertex leaf : leaves)
    books_.charge(charge_key(charges_++), tree_.name(leaf), shape.requests, shape.host_ports);
}

void Sequence::release(int kept) {
  while (charges_ > kept) books_.release(charge_key(--charges_));
}

}  // namespace toposeg::engine
