#include "engine/joint/cost.h"

#include <algorithm>
#include <optional>

namespace toposeg::engine {

namespace {

// Adds the domains that one group uses, and those that its measure did not count yet.
class Counter {
 public:
  Counter(const Tree& tree, const JointProblem& problem, const Room& room, const JointLayout& layout,
          JointRow& row)
      : tree_(tree), problem_(problem), room_(room), layout_(layout), row_(row), seen_(tree.size(), 0) {
    measured_.resize(problem.shapes.size());
    for (const JointGroup& group : problem.groups) {
      std::vector<std::uint8_t>& counted = measured_[static_cast<std::size_t>(group.measure)];
      counted.resize(tree.size(), 0);
      for (Vertex v : group.in_use) {
        for (; v != kRoot; v = tree.parent(v)) counted[v] = 1;
      }
    }
  }

  void begin(int group) {
    group_ = &problem_.groups[static_cast<std::size_t>(group)];
    ++stamp_;
    shared_.reset();
    for (const Vertex node : group_->in_use) {
      widen(node);
      for (Vertex v = node; v != kRoot && seen_[v] != stamp_; v = tree_.parent(v)) seen_[v] = stamp_;
    }
    used_ = false;
  }
  void use(Vertex leaf) {
    widen(leaf);
    used_ = true;
    for (Vertex v = leaf; v != kRoot && seen_[v] != stamp_; v = tree_.parent(v)) {
      seen_[v] = stamp_;
      const int level = tree_.level(v);
      ++row_[layout_.domains(level)];
      std::uint8_t& counted = measured_[static_cast<std::size_t>(group_->measure)][v];
      if (counted != 0) continue;
      counted = 1;
      ++row_[layout_.altogether(level)];
      row_[layout_.leftover(level)] += room_[static_cast<std::size_t>(group_->measure)][v];
    }
  }
  void end() {
    if (!used_ || group_->whole_preferred == kAnywhere) return;
    row_[layout_.whole()] += std::max(0, group_->whole_preferred - tree_.level(*shared_));
  }

 private:
  void widen(Vertex leaf) { shared_ = shared_ ? common_domain(tree_, *shared_, leaf) : leaf; }

  const Tree& tree_;
  const JointProblem& problem_;
  const Room& room_;
  const JointLayout& layout_;
  JointRow& row_;
  std::vector<std::uint32_t> seen_;  // by the group of this stamp
  std::vector<std::vector<std::uint8_t>> measured_;
  std::uint32_t stamp_ = 0;
  const JointGroup* group_ = nullptr;
  std::optional<Vertex> shared_;
  bool used_ = false;
};

}  // namespace

Vertex common_domain(const Tree& tree, Vertex a, Vertex b) {
  const int level = std::min(tree.level(a), tree.level(b));
  a = tree.ancestor(a, level);
  b = tree.ancestor(b, level);
  while (a != b) {
    a = tree.parent(a);
    b = tree.parent(b);
  }
  return a;
}

int climb_of(const Tree& tree, const JointItem& item, Vertex shared) {
  return std::max(0, item.goal - tree.level(shared));
}

JointRow cost_of(const Tree& tree, const JointProblem& problem, const Room& room, const JointPods& pods) {
  const JointLayout layout(problem.items.size(), tree.levels());
  JointRow row(layout.size(), 0);
  std::vector<std::vector<std::size_t>> of_group(problem.groups.size());
  for (std::size_t i = 0; i < problem.items.size(); ++i) {
    if (!pods[i].empty()) of_group[static_cast<std::size_t>(problem.items[i].group)].push_back(i);
  }
  Counter counter(tree, problem, room, layout, row);
  for (std::size_t group = 0; group < of_group.size(); ++group) {
    counter.begin(static_cast<int>(group));
    for (const std::size_t i : of_group[group]) {
      const JointItem& item = problem.items[i];
      --row[layout.placed(item.rank)];
      row[layout.pattern(i)] -= JointLayout::bit(i);
      Vertex shared = item.home != kRoot ? item.home : pods[i].front();
      for (const Vertex leaf : pods[i]) {
        shared = common_domain(tree, shared, leaf);
        counter.use(leaf);
      }
      row[layout.climbed()] += climb_of(tree, item, shared);
    }
    counter.end();
  }
  return row;
}

JointTerm term_at(const JointLayout& layout, std::size_t index) {
  using Kind = JointTerm::Kind;
  if (index < 3) return {static_cast<Kind>(index), 0};
  if (index < layout.climbed()) return {Kind::kPattern, 0};
  if (index == layout.climbed()) return {Kind::kClimbed, 0};
  if (index == layout.whole()) return {Kind::kWhole, 0};
  if (index < layout.first_shared()) return {Kind::kDomains, static_cast<int>(index - layout.domains(0))};
  const int level = static_cast<int>(layout.size() - 1 - index);
  const bool counts =
      index <= layout.altogether(static_cast<int>(layout.first_shared() - layout.domains(0)) - 1);
  if (counts) return {Kind::kAltogether, static_cast<int>(index - layout.first_shared())};
  return {Kind::kLeftover, level};
}

}  // namespace toposeg::engine
