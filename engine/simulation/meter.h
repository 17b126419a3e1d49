// Measures the floor between two events: what is used, and what scattered room costs.
#pragma once

#include <vector>

#include "engine/simulation/floor.h"
#include "engine/simulation/outcome.h"
#include "engine/simulation/scenario.h"

namespace toposeg::simulation {

class Meter {
 public:
  // `until`: what the means cover.
  Meter(const Scenario& scenario, Floor& floor, Seconds until);

  // The floor stays as it was last read up to `now`. Before any change of the floor.
  void pass(Seconds now);
  // After the changes of one instant.
  void read();
  void finish(Outcome& outcome) const;

 private:
  [[nodiscard]] double lost(const Yardstick& yardstick);

  const Scenario& scenario_;
  Floor& floor_;
  Seconds until_;
  Seconds last_ = 0;
  double used_now_ = 0;
  double used_sum_ = 0;
  std::vector<double> lost_now_;
  std::vector<double> lost_sum_;
  Timeline used_;
  Timeline lost_;
};

}  // namespace toposeg::simulation
