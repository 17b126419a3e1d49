// Many groups of one shape planned as if they were one. Their segments are alike, so the exact planner
// answers for all of them at once: what the groups use altogether cannot be less, and dealing the segments
// out to the groups is an answer worth trying.
#pragma once

#include <optional>
#include <vector>

#include "engine/joint/bound.h"

namespace toposeg::engine {

struct Crowd {
  int shape = 0;                       // of the workers, and the measure of the groups
  std::vector<std::vector<int>> lots;  // items that share one segment of the problem, in their order
  Problem problem;                     // a full segment for each lot
};

// The largest crowd of two or more groups in a question: their open segments that the bound places without a
// climb. Where each group fits into one domain of the level that its segments reach, a lot is a whole group;
// else it is one segment. None where lots would differ in size or level.
[[nodiscard]] std::optional<Crowd> find_crowd(const JointProblem& problem, const JointBound& bound,
                                              const JointLayout& layout);

}  // namespace toposeg::engine
