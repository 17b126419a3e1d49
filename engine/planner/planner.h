// The exact planner. For segments of one pod shape the problem is a knapsack over the tree whose costs add
// up, so it is solved exactly, without search; docs/placement.md derives it and tests/oracle compares it with
// exhaustive search.
//
//   Planner planner;
//   const Solution& best = planner.solve(view, problem, deadline);
//
// A planner owns scratch memory that later calls reuse: after the first call of a size it allocates nothing.
// Not thread safe; the solution is valid until the next call.
#pragma once

#include <memory>

#include "engine/capacity/view.h"
#include "engine/planner/deadline.h"
#include "engine/planner/problem.h"

namespace toposeg::engine {

class Planner {
 public:
  Planner();
  ~Planner();
  Planner(Planner&&) noexcept;
  Planner& operator=(Planner&&) noexcept;

  // Always answers. When not everything fits, as many needed segments as possible are placed, then optional
  // ones, and the rest is missing from Solution::segments (full ones counted from the end; the first segment
  // is placed before all others, the partial one last). With extra_apart, the extra pod is placed if it can
  // be without losing a segment.
  const Solution& solve(const CapacityView& view, const Problem& problem, const Deadline& deadline = {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace toposeg::engine
