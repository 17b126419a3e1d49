#include "engine/planner/fit.h"

#include <algorithm>

namespace toposeg::engine {

namespace {

int bit(PieceSet set, PieceSet piece) { return (set & piece) != 0 ? 1 : 0; }

Fit fit_of(const Problem& problem, int full, PieceSet set) {
  const int first = bit(set, kFirstPiece);
  const int partial = bit(set, kPartialPiece);
  const int needed_full = std::clamp(problem.needed - (problem.first > 0 ? 1 : 0), 0, problem.full);
  const bool partial_needed = problem.partial > 0 && problem.needed >= problem.segments();
  const bool first_needed = problem.first > 0 && problem.needed > 0;
  const int full_in_need = std::min(full, needed_full);
  Fit fit{.full = full, .set = set};
  fit.needed = full_in_need + (first_needed ? first : 0) + (partial_needed ? partial : 0);
  fit.optional = full - full_in_need + (first_needed ? 0 : first) + (partial_needed ? 0 : partial);
  return fit;
}

}  // namespace

int Fit::compare(const Fit& a, const Fit& b) {
  if (a.needed != b.needed) return a.needed - b.needed;
  if (a.optional != b.optional) return a.optional - b.optional;
  for (const PieceSet piece : {kExtraPiece, kFirstPiece}) {
    if (bit(a.set, piece) != bit(b.set, piece)) return bit(a.set, piece) - bit(b.set, piece);
  }
  return a.full - b.full;
}

Fit best_fit(const Problem& problem, const UnitsBeside& room) {
  const PieceSet wanted = pieces_of(problem);
  Fit best;
  for (PieceSet set = 0; set <= wanted; ++set) {
    if ((set & ~wanted) != 0 || room[set] < 0) continue;
    const Fit fit = fit_of(problem, std::min(problem.full, room[set]), set);
    if (Fit::compare(fit, best) > 0) best = fit;
  }
  return best;
}

}  // namespace toposeg::engine
