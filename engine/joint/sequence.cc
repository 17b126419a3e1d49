#include "engine/joint/sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

namespace toposeg::engine {

namespace {

std::string charge_key(int number) { return fmt::format("joint/{}", number); }

}  // namespace

std::vector<std::vector<int>> Sequence::orders(std::size_t most) const {
  std::vector<int> natural(units_.size());
  std::iota(natural.begin(), natural.end(), 0);
  std::vector<std::vector<int>> all;
  std::set<std::vector<int>> seen;
  const auto keep = [&](const std::vector<int>& order) {
    if (all.size() < most && seen.insert(order).second) all.push_back(order);
  };
  const auto keep_sorted = [&](auto key) {
    std::vector<int> order = natural;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return key(units_[static_cast<std::size_t>(a)]) < key(units_[static_cast<std::size_t>(b)]);
    });
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

JointPods Sequence::run(const std::vector<int>& order, const Deadline& deadline) {
  JointPods pods(problem_.items.size());
  std::vector<std::vector<Vertex>> in_use(problem_.groups.size());
  std::vector<Vertex> whole(problem_.groups.size(), kRoot);
  for (const int index : order) {
    Unit unit = units_[static_cast<std::size_t>(index)];
    const auto group = static_cast<std::size_t>(unit.group);
    if (unit.problem.whole_required != kAnywhere && whole[group] != kRoot) unit.problem.within = whole[group];
    (void)solve_unit(tree_, problem_, unit, in_use[group], views_, planner_, deadline, pods);
    for (const int item : unit.items()) {
      const std::vector<Vertex>& leaves = pods[static_cast<std::size_t>(item)];
      in_use[group].insert(in_use[group].end(), leaves.begin(), leaves.end());
    }
    if (unit.problem.whole_required != kAnywhere && !in_use[group].empty())
      whole[group] = tree_.ancestor(in_use[group].front(), unit.problem.whole_required);
    charge(unit, pods);
  }
  release();
  return pods;
}

void Sequence::charge(const Unit& unit, const JointPods& pods) {
  for (const int index : unit.items()) {
    const std::vector<Vertex>& leaves = pods[static_cast<std::size_t>(index)];
    std::size_t at = 0;
    for (const JointPart& part : problem_.items[static_cast<std::size_t>(index)].parts) {
      const kube::PodSpec& shape = problem_.shapes[static_cast<std::size_t>(part.shape)];
      for (int pod = 0; pod < part.pods && at < leaves.size(); ++pod, ++at)
        books_.charge(charge_key(charges_++), tree_.name(leaves[at]), shape.requests, shape.host_ports);
    }
  }
}

void Sequence::release() {
  while (charges_ > 0) books_.release(charge_key(--charges_));
}

}  // namespace toposeg::engine
