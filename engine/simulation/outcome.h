// What became of every job under one policy.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/simulation/job.h"
#include "engine/simulation/timeline.h"

namespace toposeg::simulation {

enum class Fate : std::uint8_t {
  kAtOnce,  // started when it arrived
  kWaited,  // started later
  kNever,   // even the idle site does not hold it, or the policy did not find how
};

struct JobOutcome {
  Fate fate = Fate::kNever;
  Seconds start = 0;         // unless never
  std::vector<int> reached;  // per segment: level of the closest domain that holds it, kAnywhere for none
};

struct Outcome {
  std::string policy;
  std::vector<JobOutcome> jobs;  // as in the trace
  Seconds end = 0;               // when the last job ended
  // Means up to the last arrival (up to the end when all arrive at once), and the whole course.
  double used = 0;  // share of what was free at the beginning
  Timeline used_over_time;
  // Per yardstick: share of the slots that scattered free hosts cost, of those that the same room would give
  // in one piece.
  std::vector<double> lost;
  Timeline lost_over_time;  // the mean of all yardsticks
  // Real time of each decision; not reproducible.
  std::vector<std::chrono::nanoseconds> decisions;
};

}  // namespace toposeg::simulation
