#include "engine/cli/simulation_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ostream>
#include <string>
#include <utility>

#include "engine/cli/table.h"
#include "engine/placement/scope.h"
#include "engine/simulation/words.h"

namespace toposeg::cli {
namespace {

using simulation::Numbers;
using simulation::percent;
using simulation::rough_time;
using simulation::Summary;

Cell number(std::int64_t value) { return {std::to_string(value)}; }
Cell never(int jobs) { return {std::to_string(jobs), jobs > 0 ? Paint::kBad : Paint::kPlain}; }
std::string share_or_none(const std::optional<double>& share) { return share ? percent(*share) : ""; }

void print_totals(std::ostream& out, const std::vector<Summary>& summaries, bool colour) {
  Table table({{"POLICY"},
               {"AT-ONCE", true},
               {"WAITED", true},
               {"NEVER", true},
               {"WAIT", true},
               {"P95", true},
               {"USED", true},
               {"CLIMBED", true},
               {"LOST", true}});
  for (const Summary& summary : summaries) {
    const Numbers& all = summary.all;
    table.add({{summary.policy},
               number(all.at_once),
               number(all.waited),
               never(all.never),
               {rough_time(all.mean_wait)},
               {rough_time(static_cast<double>(all.p95_wait))},
               {percent(summary.used)},
               {fmt::format("{:.3f}", all.mean_climbed)},
               {share_or_none(all.lost)}});
  }
  table.print(out, colour);
}

// Policies of one size stand together.
void print_sizes(std::ostream& out, const std::vector<Summary>& summaries, bool colour) {
  Table table({{"SEGMENT", true},
               {"JOBS", true},
               {"POLICY"},
               {"AT-ONCE", true},
               {"WAITED", true},
               {"NEVER", true},
               {"WAIT", true},
               {"AT-LEVEL", true},
               {"LOST", true}});
  for (std::size_t size = 0; size < summaries.front().sizes.size(); ++size) {
    for (const Summary& summary : summaries) {
      const auto& [segment, numbers] = summary.sizes[size];
      table.add({{segment > 0 ? std::to_string(segment) : ""},
                 number(numbers.jobs),
                 {summary.policy},
                 number(numbers.at_once),
                 number(numbers.waited),
                 never(numbers.never),
                 {rough_time(numbers.mean_wait)},
                 {simulation::percent_of(numbers.at_goal, numbers.with_goal)},
                 {share_or_none(numbers.lost)}});
    }
  }
  table.print(out, colour);
}

void print_levels(std::ostream& out, const simulation::Scenario& scenario,
                  const std::vector<Summary>& summaries, bool colour) {
  std::vector<Column> columns{{"POLICY"}, {"SEGMENTS", true}};
  for (const std::string& level : simulation::level_names(scenario.site)) {
    std::string heading = level;
    std::transform(heading.begin(), heading.end(), heading.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    columns.push_back({std::move(heading), true});
  }
  columns.push_back({"APART", true});
  Table table(std::move(columns));
  for (const Summary& summary : summaries) {
    const Numbers& all = summary.all;
    std::vector<Cell> row{{summary.policy}, number(all.segments)};
    std::int64_t apart = all.segments;
    for (const std::int64_t count : all.by_level) {
      row.push_back({simulation::percent_of(count, all.segments)});
      apart -= count;
    }
    row.push_back({simulation::percent_of(apart, all.segments)});
    table.add(std::move(row));
  }
  table.print(out, colour);
}

void print_timings(std::ostream& out, const std::vector<Summary>& summaries, bool colour) {
  Table table({{"POLICY"}, {"DECISIONS", true}, {"MEAN-US", true}, {"P99-US", true}, {"MAX-US", true}});
  for (const Summary& summary : summaries) {
    const simulation::Timings& timings = summary.timings;
    table.add({{summary.policy},
               number(static_cast<std::int64_t>(timings.decisions)),
               {fmt::format("{:.1f}", timings.mean)},
               {fmt::format("{:.1f}", timings.p99)},
               {fmt::format("{:.1f}", timings.longest)}});
  }
  table.print(out, colour);
}

}  // namespace

void print_simulation_tables(std::ostream& out, const simulation::Scenario& scenario,
                             const std::vector<Summary>& summaries, bool timings, bool colour) {
  out << simulation::headline(scenario) << "\n\n";
  print_totals(out, summaries, colour);
  out << "\nBy segment size:\n";
  print_sizes(out, summaries, colour);
  out << "\nSegments by the closest level that holds them:\n";
  print_levels(out, scenario, summaries, colour);
  if (timings) {
    out << "\nTime for a decision, in microseconds:\n";
    print_timings(out, summaries, colour);
  }
  out << "\nWAIT: mean over jobs that started. USED: of the free hosts, to the last arrival.\n"
         "CLIMBED: mean levels above the preferred one. AT-LEVEL: segments that reached\n"
         "the level they ask for. LOST: segments that scattered free hosts cannot take.\n";
}

}  // namespace toposeg::cli
