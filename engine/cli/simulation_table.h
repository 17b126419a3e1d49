// A simulation for people: tables of the policies side by side.
#pragma once

#include <iosfwd>
#include <vector>

#include "engine/simulation/scenario.h"
#include "engine/simulation/summary.h"

namespace toposeg::cli {

// Totals, then by segment size, then by level reached; decision times only where they are wanted, for they
// differ from run to run. What the columns mean stands below.
void print_simulation_tables(std::ostream& out, const simulation::Scenario& scenario,
                             const std::vector<simulation::Summary>& summaries, bool timings, bool colour);

}  // namespace toposeg::cli
