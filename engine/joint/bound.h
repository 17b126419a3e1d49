// What no answer to a joint question can undercut. Each unit alone, on the free cluster, is answered exactly;
// in company none of its numbers gets better. Rows of units add up as far as they count different things
// (placed, climbed), and over groups; where units of one group share domains, the dearest of them counts.
//
// Sums of lexicographic bounds are lexicographic bounds: an entry of the bound holds for all answers that
// equal it in all earlier entries.
#pragma once

#include <vector>

#include "engine/joint/cost.h"
#include "engine/joint/units.h"

namespace toposeg::engine {

struct JointBound {
  std::vector<JointRow> groups;  // one a group; leftover entries are zero
  JointRow leftover;             // a whole row, zero but for the leftover entries
  // Per item, the fewest levels it climbs wherever it goes; -1 = it fits nowhere.
  std::vector<int> climb;

  [[nodiscard]] JointRow total() const;
};

// Needs every group's capacity as it is before anything is placed. One planner's answer for each unit that is
// unlike all others.
[[nodiscard]] JointBound bound_of(const Tree& tree, const JointProblem& problem,
                                  const std::vector<Unit>& units, const ViewSource& views, Planner& planner,
                                  const Deadline& deadline);

}  // namespace toposeg::engine
