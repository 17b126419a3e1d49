// A simulation as one HTML file: charts and the tables behind them, without scripts and without the network.
#pragma once

#include <iosfwd>
#include <vector>

#include "engine/simulation/outcome.h"
#include "engine/simulation/scenario.h"
#include "engine/simulation/summary.h"

namespace toposeg::simulation {

// `summaries` belong to `outcomes`, one each. Decision times only where they are wanted, for they differ from
// run to run.
void write_html_report(std::ostream& out, const Scenario& scenario, const std::vector<Outcome>& outcomes,
                       const std::vector<Summary>& summaries, bool timings);

}  // namespace toposeg::simulation
