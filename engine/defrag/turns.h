// Moves that have nothing to do with one another come to the same in either order, so that one order is
// enough to try.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "engine/defrag/problem.h"

namespace toposeg::engine::defrag {

class Turns {
 public:
  // Keeps a reference to the problem.
  explicit Turns(const Problem& problem);

  // True when moving this segment here could as well have come before the last of `moves`, and has the lower
  // number: that sequence is tried there.
  [[nodiscard]] bool out_of_turn(std::size_t segment, Vertex to, std::span<const Move> moves) const;

 private:
  // A move touches the region it leaves and the one it enters.
  [[nodiscard]] std::pair<Vertex, Vertex> regions(std::size_t segment, Vertex to) const;

  const Problem& problem_;
  int level_;  // of the regions: coarsest of the slots' level and those that segments keep
};

}  // namespace toposeg::engine::defrag
