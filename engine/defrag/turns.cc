#include "engine/defrag/turns.h"

#include <algorithm>

namespace toposeg::engine::defrag {

Turns::Turns(const Problem& problem) : problem_(problem), level_(problem.level) {
  for (const Segment& segment : problem.segments) level_ = std::min(level_, segment.level);
}

std::pair<Vertex, Vertex> Turns::regions(std::size_t segment, Vertex to) const {
  const Tree& tree = *problem_.tree;
  const Vertex first_leaf = tree.at_level(tree.levels()).begin;
  return {tree.ancestor(first_leaf + problem_.segments[segment].hosts.front(), level_),
          tree.ancestor(to, level_)};
}

bool Turns::out_of_turn(std::size_t segment, Vertex to, std::span<const Move> moves) const {
  if (moves.empty() || segment > moves.back().segment) return false;
  const auto [leaves, enters] = regions(segment, to);
  const auto [left, entered] = regions(moves.back().segment, moves.back().to);
  return leaves != left && leaves != entered && enters != left && enters != entered;
}

}  // namespace toposeg::engine::defrag
