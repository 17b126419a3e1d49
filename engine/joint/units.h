// Cuts a joint question into pieces that the exact planner answers alone. Each of them is a relaxation (what
// it says of its items holds for them in company too) and, one after the other, a way to an answer.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/capacity/view.h"
#include "engine/joint/problem.h"
#include "engine/planner/planner.h"

namespace toposeg::engine {

// A current capacity view of a shape and the extra one beside it.
using ViewSource = std::function<std::shared_ptr<const CapacityView>(
    const kube::PodSpec& shape, const std::optional<kube::PodSpec>& extra)>;

// Items of one group that make up one question for the planner. Indices of items; -1 = none.
struct Unit {
  int group = 0;
  int shape = 0;
  int extra = -1;  // shape of the extra pod
  std::vector<int> full;
  int first = -1;
  int partial = -1;
  int apart = -1;
  Vertex home = kRoot;  // of a segment that is partly in place, which is a unit of its own
  Problem problem;      // without what others of the group use

  [[nodiscard]] std::vector<int> items() const;
};

// Whether the planner is asked the same for both.
[[nodiscard]] bool same_question(const Unit& a, const Unit& b);

// In the order of the items. An item that the planner cannot be asked about (two shapes with several pods
// each) is in none.
[[nodiscard]] std::vector<Unit> cut_into_units(const Tree& tree, const JointProblem& problem);

// A unit of one item.
[[nodiscard]] Unit unit_of(const Tree& tree, const JointProblem& problem, int item);

// The unit's best answer on what is free now, into `pods` (other items' entries stay); beside `in_use`, nodes
// that its group uses. The solution belongs to the planner. With a home, the answer is sought there first,
// then in the domains around it.
const Solution& solve_unit(const Tree& tree, const JointProblem& problem, const Unit& unit,
                           const std::vector<Vertex>& in_use, const ViewSource& views, Planner& planner,
                           const Deadline& deadline, JointPods& pods);

}  // namespace toposeg::engine
