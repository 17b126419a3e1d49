// A simulation for programs.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "engine/simulation/outcome.h"
#include "engine/simulation/scenario.h"
#include "engine/simulation/summary.h"

namespace toposeg::cli {

// kind SimulationReport of toposeg.io/v1. Times in seconds, shares from 0 to 1; decision times, in
// microseconds, only where they are wanted. `summaries` belong to `outcomes`, one each.
[[nodiscard]] nlohmann::ordered_json simulation_report(const simulation::Scenario& scenario,
                                                       const std::vector<simulation::Outcome>& outcomes,
                                                       const std::vector<simulation::Summary>& summaries,
                                                       bool timings);

// A line for each policy and job, under headings; empty where a job never started.
void print_simulation_csv(std::ostream& out, const simulation::Scenario& scenario,
                          const std::vector<simulation::Outcome>& outcomes);

}  // namespace toposeg::cli
