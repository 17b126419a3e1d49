#include "engine/defrag/field.h"

#include <algorithm>

namespace toposeg::engine::defrag {

Field::Field(const Problem& problem)
    : problem_(problem),
      size_(problem.size),
      resources_(problem.probe.requests.size()),
      first_leaf_(problem.tree->at_level(problem.tree->levels()).begin) {
  const Tree& tree = *problem.tree;
  const VertexRange level = tree.at_level(problem.level);
  capacity_.assign(level.size(), 0);
  for (const auto& host : problem.free) free_.insert(free_.end(), host.begin(), host.end());
  for (Leaf leaf = 0; leaf < problem.free.size(); ++leaf) {
    domain_of_.push_back(tree.ancestor(first_leaf_ + leaf, problem.level) - level.begin);
    probes_.push_back(room(problem.probe, leaf));
    capacity_[domain_of_.back()] += probes_.back();
  }
  for (const std::int64_t capacity : capacity_) slots_ += capacity / size_;
}

std::int64_t Field::room(const Shape& shape, Leaf leaf) const {
  if (!shape.allowed.empty() && !shape.allowed[leaf]) return 0;
  std::int64_t room = shape.most_on_host;
  for (std::size_t i = 0; i < resources_; ++i) {
    if (shape.requests[i] > 0) room = std::min(room, free_[leaf * resources_ + i] / shape.requests[i]);
  }
  return std::max<std::int64_t>(room, 0);
}

std::int64_t Field::spare(const Shape& shape, Leaf leaf) const {
  std::int64_t spare = room(shape, leaf);
  if (probes_[leaf] == 0) return spare;
  for (std::size_t i = 0; i < resources_; ++i) {
    if (shape.requests[i] == 0) continue;
    const std::int64_t left = free_[leaf * resources_ + i] - probes_[leaf] * problem_.probe.requests[i];
    spare = std::min(spare, left / shape.requests[i]);
  }
  return spare;
}

void Field::add(const Shape& shape, Leaf leaf, std::int64_t sign) {
  for (std::size_t i = 0; i < resources_; ++i) free_[leaf * resources_ + i] += sign * shape.requests[i];
  const std::int64_t probes = room(problem_.probe, leaf);
  if (probes == probes_[leaf]) return;
  std::int64_t& capacity = capacity_[domain_of_[leaf]];
  slots_ -= capacity / size_;
  capacity += probes - probes_[leaf];
  slots_ += capacity / size_;
  probes_[leaf] = probes;
}

void Field::put(const Shape& shape, Leaf leaf) { add(shape, leaf, -1); }
void Field::lift(const Shape& shape, Leaf leaf) { add(shape, leaf, 1); }

void Field::put(const Shape& shape, std::span<const Leaf> leaves) {
  for (const Leaf leaf : leaves) put(shape, leaf);
}

void Field::lift(const Shape& shape, std::span<const Leaf> leaves) {
  for (const Leaf leaf : leaves) lift(shape, leaf);
}

Field::Hosts Field::hosts(Vertex v) const {
  const VertexRange range = problem_.tree->under(v, problem_.tree->levels());
  return {range.begin - first_leaf_, range.end - first_leaf_};
}

}  // namespace toposeg::engine::defrag
