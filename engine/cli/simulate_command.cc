#include <algorithm>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "engine/cli/cluster_source.h"
#include "engine/cli/commands.h"
#include "engine/cli/exit_status.h"
#include "engine/cli/manifest_source.h"
#include "engine/cli/session.h"
#include "engine/cli/simulation_report.h"
#include "engine/cli/simulation_table.h"
#include "engine/cli/text_input.h"
#include "engine/simulation/html_report.h"
#include "engine/simulation/made_cluster.h"
#include "engine/simulation/made_trace.h"
#include "engine/simulation/policy.h"
#include "engine/simulation/simulator.h"
#include "engine/simulation/trace.h"

namespace toposeg::cli {
namespace {

Result<kube::Cluster> cluster_of(const Options& options, const Streams& streams,
                                 const Environment& environment) {
  if (!options.simulate.generated.empty()) return simulation::make_cluster(options.simulate.generated);
  auto read = read_cluster_from(options.cluster, streams, environment);
  if (!read) return std::unexpected(read.error());
  if (!read->passed_over.empty()) {
    streams.err << "Note: passed over in the cluster: " << counted(read->passed_over) << '\n';
  }
  return std::move(read->cluster);
}

Result<std::vector<simulation::Job>> jobs_of(const SimulateOptions& options, const simulation::Site& site,
                                             const Streams& streams) {
  if (options.trace.empty()) return simulation::make_trace(site, {options.jobs, options.seed, options.load});
  Result<std::vector<simulation::Job>> jobs;
  const auto read = [&](std::istream& input, const std::string& name) -> Result<void> {
    jobs = simulation::read_trace(input, name, site);
    if (!jobs) return std::unexpected(jobs.error());
    return {};
  };
  const auto done =
      with_input(options.trace, streams, read, "a trace of jobs: CSV with headings, or a JSON object a line");
  if (!done) return std::unexpected(done.error());
  return jobs;
}

Result<void> save(const std::string& file, const std::vector<simulation::Job>& jobs,
                  const simulation::Site& site) {
  if (file.empty()) return {};
  std::ofstream out(file, std::ios::binary);
  simulation::write_trace(out, jobs, site);
  out.flush();
  if (!out) return fail(Code::kUnavailable, "cannot be written", file);
  return {};
}

Result<std::vector<simulation::Outcome>> play(const simulation::Scenario& scenario,
                                              const SimulateOptions& options, const Clock& clock,
                                              const Streams& streams) {
  std::vector<std::string> names = options.policies;
  if (names.empty()) {
    for (const simulation::PolicyName& policy : simulation::policies()) names.emplace_back(policy.name);
  }
  std::vector<simulation::Outcome> outcomes;
  for (const std::string& name : names) {
    const bool played =
        std::any_of(outcomes.begin(), outcomes.end(),
                    [&](const simulation::Outcome& outcome) { return outcome.policy == name; });
    if (played) continue;
    if (streams.err_is_terminal) streams.err << "Playing " << name << " ...\n" << std::flush;
    const auto policy = simulation::make_policy(name, scenario.site, options.seed);
    auto outcome = simulation::simulate(scenario, name, *policy, clock);
    if (!outcome) return std::unexpected(outcome.error());
    outcomes.push_back(std::move(*outcome));
  }
  return outcomes;
}

void print(const simulation::Scenario& scenario, const std::vector<simulation::Outcome>& outcomes,
           const Options& options, const Streams& streams, bool colour) {
  if (options.output == "csv") {
    print_simulation_csv(streams.out, scenario, outcomes);
    return;
  }
  std::vector<simulation::Summary> summaries;
  for (const simulation::Outcome& outcome : outcomes) {
    summaries.push_back(simulation::summarise(scenario, outcome));
  }
  if (options.output == "json") {
    streams.out << simulation_report(scenario, outcomes, summaries, options.simulate.timings).dump(2) << '\n';
  } else if (options.output == "html") {
    simulation::write_html_report(streams.out, scenario, outcomes, summaries, options.simulate.timings);
  } else {
    print_simulation_tables(streams.out, scenario, summaries, options.simulate.timings, colour);
  }
}

Result<void> answer(const Options& options, const Streams& streams, const Environment& environment) {
  auto cluster = cluster_of(options, streams, environment);
  if (!cluster) return std::unexpected(cluster.error());
  const auto site = simulation::make_site(std::move(*cluster), options.topology);
  if (!site) return std::unexpected(site.error());
  const auto jobs = jobs_of(options.simulate, *site, streams);
  if (!jobs) return std::unexpected(jobs.error());
  if (auto saved = save(options.simulate.save_trace, *jobs, *site); !saved) return saved;
  const auto queue = options.simulate.strict_order ? simulation::Queue::kStrict : simulation::Queue::kPassing;
  const simulation::Scenario scenario = simulation::make_scenario(*site, *jobs, queue);
  const auto outcomes = play(scenario, options.simulate, *environment.clock, streams);
  if (!outcomes) return std::unexpected(outcomes.error());
  print(scenario, *outcomes, options, streams, wants_colour(streams, environment));
  return {};
}

}  // namespace

int simulate_command(const Options& options, const Streams& streams, const Environment& environment) {
  const auto done = answer(options, streams, environment);
  if (done) return kExitPlaced;
  print_errors(streams.err, {done.error()});
  return kExitInvalid;
}

}  // namespace toposeg::cli
