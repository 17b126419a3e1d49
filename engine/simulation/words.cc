#include "engine/simulation/words.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "common/config/units.h"
#include "engine/placement/scope.h"

namespace toposeg::simulation {

std::string percent(double share) { return fmt::format("{:.1f}%", share * 100); }

std::string percent_of(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? "" : percent(static_cast<double>(part) / static_cast<double>(whole));
}

std::string rough_time(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  const double grain = seconds < kHour ? 1 : kMinute;
  const auto whole = static_cast<std::int64_t>(std::round(seconds / grain) * grain);
  return config::print_duration(std::chrono::seconds(whole));
}

std::string_view fate_word(Fate fate) {
  switch (fate) {
    case Fate::kAtOnce:
      return "at-once";
    case Fate::kWaited:
      return "waited";
    case Fate::kNever:
      break;
  }
  return "never";
}

std::vector<std::string> level_names(const Site& site) {
  std::vector<std::string> names;
  for (int level = 0; level < site.tree->levels(); ++level) {
    names.push_back(engine::short_name(site.topology, level));
  }
  return names;
}

std::string headline(const Scenario& scenario) {
  return fmt::format("{} jobs in {} on {} nodes, topology {}", scenario.jobs.size(),
                     rough_time(static_cast<double>(scenario.jobs.back().arrival)),
                     scenario.site.tree->node_count(), scenario.site.topology.name);
}

}  // namespace toposeg::simulation
