// The pieces of a group that are not ordinary full segments, and how many full segments fit around them.
#pragma once

#include <array>
#include <cstdint>

#include "engine/capacity/view.h"
#include "engine/planner/problem.h"

namespace toposeg::engine {

// A set of special pieces: the first segment, the partial last one, the extra pod that stands apart.
using PieceSet = unsigned;
inline constexpr PieceSet kNoPiece = 0;
inline constexpr PieceSet kFirstPiece = 1;
inline constexpr PieceSet kPartialPiece = 2;
inline constexpr PieceSet kExtraPiece = 4;
inline constexpr std::size_t kPieceSets = 8;

// Most full segments beside each set of pieces; -1 = the pieces themselves do not fit.
using UnitsBeside = std::array<std::int32_t, kPieceSets>;

// All pieces that the problem has.
[[nodiscard]] PieceSet pieces_of(const Problem& problem);

// True when a domain that holds these pieces also hosts the pod of the extra shape.
[[nodiscard]] inline bool hosts_extra(const Problem& problem, PieceSet set) {
  return (set & kExtraPiece) != 0 || ((set & kFirstPiece) != 0 && problem.extra_in_first);
}

// Worker pods of the pieces of a set.
[[nodiscard]] inline int pods_of(const Problem& problem, PieceSet set) {
  return ((set & kFirstPiece) != 0 ? problem.first : 0) + ((set & kPartialPiece) != 0 ? problem.partial : 0);
}

// Full segments that fit into one domain, all in one piece of it, beside a set of pieces in the same domain;
// -1 when the set itself does not fit.
[[nodiscard]] std::int32_t units_in(const CapacityView& view, const Problem& problem, Vertex domain,
                                    PieceSet set);

// The same over many domains, each segment and each piece inside one of them: the best distribution of the
// pieces, for every subset of `wanted`. O(domains * 3^pieces).
[[nodiscard]] UnitsBeside units_over(const CapacityView& view, const Problem& problem, VertexRange domains,
                                     PieceSet wanted);

// Folds one more domain (what it holds beside each set) into a distribution. Start from nothing_yet().
[[nodiscard]] UnitsBeside nothing_yet();
void fold(UnitsBeside& total, const UnitsBeside& domain, PieceSet wanted);

}  // namespace toposeg::engine
