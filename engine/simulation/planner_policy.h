// Our own policy: the engine behind the very door that `plan` and the webhook use, with a reservation for
// every job that runs and a turn in the engine's queue for every job that waits for a required level.
#pragma once

#include <chrono>
#include <optional>

#include "common/base/clock.h"
#include "common/workload/workload.h"
#include "engine/placement/engine.h"
#include "engine/simulation/policy.h"

namespace toposeg::simulation {

// Time by the number of questions: a decision's budget then ends at the same step on a slow machine and on a
// fast one. Not thread safe.
class CountingClock final : public Clock {
 public:
  [[nodiscard]] Instant now() const override { return now_ += std::chrono::microseconds(20); }
  [[nodiscard]] WallTime wall() const override { return WallTime(); }

 private:
  mutable Instant now_{std::chrono::hours(1)};
};

// What the engine sees of a job. A job without any level prefers the broadest one: that keeps it from
// nowhere, and gives it hosts.
[[nodiscard]] workload::Workload workload_of(const Job& job, const Site& site);

class PlannerPolicy final : public Policy {
 public:
  explicit PlannerPolicy(const Site& site, config::Passing passing = config::Passing::kHarmless);

  [[nodiscard]] std::optional<Placement> place(const Job& job, Floor& floor) override;
  void ended(const Job& job) override;
  void given_up(const Job& job) override { ended(job); }

 private:
  const Site& site_;
  CountingClock clock_;
  engine::Engine engine_;
};

}  // namespace toposeg::simulation
