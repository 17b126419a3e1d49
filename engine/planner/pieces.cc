#include "engine/planner/pieces.h"

#include <algorithm>

namespace toposeg::engine {

PieceSet pieces_of(const Problem& problem) {
  return (problem.first > 0 ? kFirstPiece : 0) | (problem.partial > 0 ? kPartialPiece : 0) |
         (problem.extra_apart ? kExtraPiece : 0);
}

namespace {

std::int32_t units_of(const Problem& problem, std::int32_t pods) {
  return pods < problem.size ? 0 : pods / problem.size;
}

}  // namespace

std::int32_t units_in(const CapacityView& view, const Problem& problem, Vertex domain, PieceSet set) {
  const std::int32_t room = hosts_extra(problem, set) ? view.beside(domain) : view.capacity(domain);
  const std::int32_t left = room - pods_of(problem, set);
  if (room < 0 || left < 0) return -1;
  return units_of(problem, left);
}

UnitsBeside nothing_yet() {
  UnitsBeside total;
  total.fill(-1);
  total[kNoPiece] = 0;
  return total;
}

void fold(UnitsBeside& total, const UnitsBeside& domain, PieceSet wanted) {
  const UnitsBeside before = total;
  for (PieceSet set = 0; set <= wanted; ++set) {
    if ((set & ~wanted) != 0) continue;
    std::int32_t best = -1;
    for (PieceSet here = set;; here = (here - 1) & set) {  // every subset of `set`, down to none
      const std::int32_t rest = before[set ^ here];
      if (rest >= 0 && domain[here] >= 0) best = std::max(best, rest + domain[here]);
      if (here == 0) break;
    }
    total[set] = best;
  }
}

UnitsBeside units_over(const CapacityView& view, const Problem& problem, VertexRange domains,
                       PieceSet wanted) {
  UnitsBeside total = nothing_yet();
  if (wanted == kNoPiece) {
    for (Vertex v = domains.begin; v < domains.end; ++v)
      total[kNoPiece] += units_of(problem, view.capacity(v));
    return total;
  }
  UnitsBeside here = nothing_yet();
  for (Vertex v = domains.begin; v < domains.end; ++v) {
    for (PieceSet set = 0; set <= wanted; ++set) {
      if ((set & ~wanted) == 0) here[set] = units_in(view, problem, v, set);
    }
    fold(total, here, wanted);
  }
  return total;
}

}  // namespace toposeg::engine
