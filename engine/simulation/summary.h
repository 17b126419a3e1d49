// An outcome in few numbers, over all jobs and by segment size.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/simulation/outcome.h"
#include "engine/simulation/scenario.h"

namespace toposeg::simulation {

// Jobs of one segment size (0 = not segmented), or all of them. Waiting counts jobs that started, those at
// once with 0.
struct Numbers {
  int jobs = 0;
  int at_once = 0;
  int waited = 0;
  int never = 0;
  double mean_wait = 0;  // seconds
  Seconds p95_wait = 0;
  Seconds longest_wait = 0;
  std::int64_t segments = 0;           // of jobs that started; a job without segments counts as one
  std::vector<std::int64_t> by_level;  // segments by the level reached, broadest first; none = the rest
  std::int64_t at_goal = 0;            // segments with a level, that reached it
  std::int64_t with_goal = 0;
  double mean_climbed = 0;     // levels above the preferred one, over segments that prefer one
  std::optional<double> lost;  // share of slots; none without a segment size and a level
};

struct SizeNumbers {
  int segment = 0;
  Numbers numbers;
};

struct Timings {
  std::size_t decisions = 0;
  double mean = 0;  // microseconds
  double p99 = 0;
  double longest = 0;
};

struct Summary {
  std::string policy;
  Numbers all;  // `lost` is the mean over segment sizes
  std::vector<SizeNumbers> sizes;
  double used = 0;
  Seconds end = 0;
  Timings timings;
};

[[nodiscard]] Summary summarise(const Scenario& scenario, const Outcome& outcome);

}  // namespace toposeg::simulation
