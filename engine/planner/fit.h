// How much of a group fits into one region at all: the first step of the objective, by counting only.
#pragma once

#include "engine/planner/pieces.h"

namespace toposeg::engine {

// What is to be placed. Ordered: more needed segments, then more optional ones, then the extra pod that
// stands apart; of equal numbers the lower-numbered segments.
struct Fit {
  int needed = 0;
  int optional = 0;
  int full = 0;
  PieceSet set = kNoPiece;

  [[nodiscard]] int segments() const { return needed + optional; }
  // Negative, zero, positive as a is worse than, equal to, better than b.
  [[nodiscard]] static int compare(const Fit& a, const Fit& b);
  friend bool operator==(const Fit&, const Fit&) = default;
};

// The best that `room` (units_over() at the level where every segment must close) allows. O(2^pieces).
[[nodiscard]] Fit best_fit(const Problem& problem, const UnitsBeside& room);

}  // namespace toposeg::engine
