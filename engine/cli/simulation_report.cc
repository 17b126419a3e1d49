#include "engine/cli/simulation_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "engine/simulation/csv.h"
#include "engine/simulation/words.h"

namespace toposeg::cli {
namespace {

using nlohmann::ordered_json;
using simulation::Fate;
using simulation::Job;
using simulation::JobOutcome;
using simulation::Numbers;

ordered_json numbers_report(const Numbers& numbers) {
  return {{"jobs", numbers.jobs},
          {"atOnce", numbers.at_once},
          {"waited", numbers.waited},
          {"never", numbers.never},
          {"meanWait", numbers.mean_wait},
          {"p95Wait", numbers.p95_wait},
          {"longestWait", numbers.longest_wait},
          {"segments", numbers.segments},
          {"segmentsByLevel", numbers.by_level},
          {"segmentsWithLevel", numbers.with_goal},
          {"segmentsAtLevel", numbers.at_goal},
          {"meanClimbed", numbers.mean_climbed},
          {"slotsLost", numbers.lost ? ordered_json(*numbers.lost) : ordered_json()}};
}

ordered_json course_report(const simulation::Timeline& timeline) {
  return {{"interval", timeline.width()}, {"means", timeline.means()}};
}

ordered_json policy_report(const simulation::Outcome& outcome, const simulation::Summary& summary,
                           bool timings) {
  ordered_json sizes = ordered_json::array();
  for (const simulation::SizeNumbers& size : summary.sizes) {
    ordered_json entry{{"segment", size.segment > 0 ? ordered_json(size.segment) : ordered_json()}};
    entry.update(numbers_report(size.numbers));
    sizes.push_back(std::move(entry));
  }
  ordered_json report{{"policy", summary.policy}, {"used", summary.used}, {"end", summary.end}};
  report.update(numbers_report(summary.all));
  report["sizes"] = std::move(sizes);
  report["usedOverTime"] = course_report(outcome.used_over_time);
  report["slotsLostOverTime"] = course_report(outcome.lost_over_time);
  if (timings) {
    report["decisions"] = {{"count", summary.timings.decisions},
                           {"meanMicroseconds", summary.timings.mean},
                           {"p99Microseconds", summary.timings.p99},
                           {"longestMicroseconds", summary.timings.longest}};
  }
  return report;
}

std::vector<std::string> row_of(const std::string& policy, const Job& job, const JobOutcome& outcome,
                                int levels) {
  const bool started = outcome.fate != Fate::kNever;
  std::vector<std::string> row{policy,
                               job.name,
                               std::to_string(job.arrival),
                               std::to_string(job.duration),
                               std::to_string(job.pods),
                               job.segment > 0 ? std::to_string(job.segment) : "",
                               std::string(simulation::fate_word(outcome.fate)),
                               started ? std::to_string(outcome.start) : "",
                               started ? std::to_string(outcome.start - job.arrival) : "",
                               started ? std::to_string(outcome.reached.size()) : ""};
  for (int level = -1; level < levels; ++level) {
    const auto count = std::count(outcome.reached.begin(), outcome.reached.end(), level);
    row.push_back(started ? std::to_string(count) : "");
  }
  return row;
}

}  // namespace

ordered_json simulation_report(const simulation::Scenario& scenario,
                               const std::vector<simulation::Outcome>& outcomes,
                               const std::vector<simulation::Summary>& summaries, bool timings) {
  ordered_json policies = ordered_json::array();
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    policies.push_back(policy_report(outcomes[i], summaries[i], timings));
  }
  const bool strict = scenario.queue == simulation::Queue::kStrict;
  return {{"apiVersion", "toposeg.io/v1"},
          {"kind", "SimulationReport"},
          {"topology", scenario.site.topology.name},
          {"levels", scenario.site.tree->level_labels()},
          {"nodes", scenario.site.tree->node_count()},
          {"jobs", scenario.jobs.size()},
          {"lastArrival", scenario.jobs.back().arrival},
          {"strictOrder", strict},
          {"policies", std::move(policies)}};
}

void print_simulation_csv(std::ostream& out, const simulation::Scenario& scenario,
                          const std::vector<simulation::Outcome>& outcomes) {
  std::vector<std::string> headings{"policy", "job",   "arrival", "duration", "pods", "segment",
                                    "fate",   "start", "wait",    "segments", "apart"};
  for (const std::string& level : simulation::level_names(scenario.site)) headings.push_back("in-" + level);
  out << simulation::csv_line(headings);
  const int levels = scenario.site.tree->levels();
  for (const simulation::Outcome& outcome : outcomes) {
    for (std::size_t i = 0; i < scenario.jobs.size(); ++i) {
      out << simulation::csv_line(row_of(outcome.policy, scenario.jobs[i], outcome.jobs[i], levels));
    }
  }
}

}  // namespace toposeg::cli
