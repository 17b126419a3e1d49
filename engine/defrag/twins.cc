#include "engine/defrag/twins.h"

#include <algorithm>
#include <map>

namespace toposeg::engine::defrag {
namespace {

// What a host is to every shape: what is free on it and who may come.
std::vector<std::int64_t> traits(const Problem& problem, Leaf leaf) {
  std::vector<std::int64_t> traits = problem.free[leaf];
  const auto add = [&](const Shape& shape) {
    traits.push_back(shape.allowed.empty() || shape.allowed[leaf] ? 1 : 0);
  };
  add(problem.probe);
  for (const Shape& shape : problem.shapes) add(shape);
  return traits;
}

}  // namespace

Twins::Twins(const Problem& problem)
    : problem_(problem), level_(problem.level), fence_(-1), kind_(problem.tree->size(), 0) {
  const Tree& tree = *problem.tree;
  const Vertex first_leaf = tree.at_level(tree.levels()).begin;
  std::vector<bool> alone(tree.size(), false);  // holds a segment that may move
  for (const Segment& segment : problem.segments) {
    level_ = std::min(level_, segment.level);
    fence_ = std::max(fence_, tree.level(segment.within));
    for (const Leaf leaf : segment.hosts) {
      for (Vertex v = first_leaf + leaf; v != kRoot; v = tree.parent(v)) alone[v] = true;
    }
  }
  // Vertices are numbered level by level, so children come before their parents from the end.
  std::map<std::vector<std::int64_t>, std::uint32_t> kinds;
  for (Vertex v = static_cast<Vertex>(tree.size()) - 1; v != kRoot; --v) {
    if (alone[v]) continue;
    std::vector<std::int64_t> key;
    if (v >= first_leaf) {
      key = traits(problem, v - first_leaf);
    } else {
      for (Vertex child = tree.children(v).begin; child < tree.children(v).end; ++child)
        key.push_back(kind_[child]);
      std::sort(key.begin(), key.end());
    }
    key.push_back(tree.level(v));
    kind_[v] = kinds.try_emplace(std::move(key), static_cast<std::uint32_t>(kinds.size()) + 1).first->second;
  }
}

bool Twins::repeats(Vertex to, std::span<const Move> moves, Seen& seen) const {
  const Tree& tree = *problem_.tree;
  const int level = std::max(level_, fence_ + 1);
  if (level < 0 || tree.level(to) < level) return false;
  const Vertex top = tree.ancestor(to, level);
  // A domain inside a larger one has twins only where it is the whole of it.
  if (top != to || kind_[top] == 0) return false;
  const bool touched = std::any_of(moves.begin(), moves.end(), [&](const Move& move) {
    return tree.level(move.to) < level || tree.ancestor(move.to, level) == top;
  });
  if (touched) return false;
  const Vertex fence = fence_ < 0 ? kRoot : tree.ancestor(to, fence_);
  return !seen.emplace(fence, kind_[top]).second;
}

}  // namespace toposeg::engine::defrag
