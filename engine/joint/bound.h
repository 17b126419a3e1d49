// What no answer to a joint question can undercut. Each unit alone, on the free cluster, is answered exactly;
// in company none of its numbers gets better. Rows of units add up as far as they count different things
// (placed, climbed), and over groups; where units of one group share domains, the dearest of them counts.
//
// Sums of lexicographic bounds are lexicographic bounds: an entry of the bound holds for all answers that
// equal it in all earlier entries.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/joint/cost.h"
#include "engine/joint/units.h"

namespace toposeg::engine {

struct JointBound {
  std::vector<JointRow> groups;  // one a group; zero from first_shared() on
  JointRow together;             // a whole row, zero before first_shared()
  // Per item, the fewest levels it climbs wherever it goes; -1 = it fits nowhere.
  std::vector<int> climb;
  // Items that are placed wherever the bound is met.
  std::vector<bool> placed;

  [[nodiscard]] JointRow total() const;
};

// Entry by entry the larger one, as long as both count. `sure` bounds each entry of an answer, `lexical` only
// those of answers that equal it in all entries before.
void merge_bounds(std::span<const std::int64_t> sure, std::span<const std::int64_t> lexical,
                  std::span<std::int64_t> into);

// Needs every group's capacity as it is before anything is placed. One planner's answer for each unit that is
// unlike all others.
[[nodiscard]] JointBound bound_of(const Tree& tree, const JointProblem& problem,
                                  const std::vector<Unit>& units, const ViewSource& views, Planner& planner,
                                  const Deadline& deadline);

}  // namespace toposeg::engine
