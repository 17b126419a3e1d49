// Small random questions for the planner, each made from one seed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/capacity/view.h"
#include "engine/planner/problem.h"

namespace toposeg::engine::oracle {

struct Instance {
  std::uint64_t seed = 0;
  Books books;
  std::unique_ptr<CapacityView> view;
  Problem problem;

  // For a failing case: tree, capacities and problem in a few lines.
  [[nodiscard]] std::string text() const;
};

// Up to 4 levels and 12 nodes, up to 6 segments, partial and first ones, an extra pod, all level constraints,
// domains in use.
[[nodiscard]] Instance make_instance(std::uint64_t seed);

}  // namespace toposeg::engine::oracle
