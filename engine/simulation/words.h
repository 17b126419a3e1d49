// How reports write numbers and names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/simulation/outcome.h"
#include "engine/simulation/scenario.h"

namespace toposeg::simulation {

// 0.9312 -> "93.1%".
[[nodiscard]] std::string percent(double share);
// Empty when there is nothing to count.
[[nodiscard]] std::string percent_of(std::int64_t part, std::int64_t whole);

// Seconds for people: "45s", "12m30s", and from an hour on to the minute: "5h12m".
[[nodiscard]] std::string rough_time(double seconds);

[[nodiscard]] std::string_view fate_word(Fate fate);  // at-once, waited, never

// Short names, broadest first.
[[nodiscard]] std::vector<std::string> level_names(const Site& site);

// "288 jobs in 3h12m on 5184 nodes, topology cluster-topology".
[[nodiscard]] std::string headline(const Scenario& scenario);

}  // namespace toposeg::simulation
