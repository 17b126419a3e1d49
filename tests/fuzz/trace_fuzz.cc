// Any bytes as a trace of jobs: a fault is told in one line with its place, what is taken keeps to the rules
// and is read back as it was written, and a short trace of small jobs can be played.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "engine/simulation/made_cluster.h"
#include "engine/simulation/policy.h"
#include "engine/simulation/simulator.h"
#include "engine/simulation/summary.h"
#include "engine/simulation/trace.h"

namespace {

using namespace toposeg::simulation;  // NOLINT(google-build-using-namespace)

void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

void check_rules(const std::vector<Job>& jobs, int levels) {
  demand(!jobs.empty(), "a trace without jobs is taken");
  std::set<std::string_view> names;
  Seconds last = 0;
  for (const Job& job : jobs) {
    demand(names.insert(job.name).second, "a name is taken twice");
    demand(job.arrival >= last, "a job comes before the one above it");
    last = job.arrival;
    demand(job.duration >= 1 && job.pods >= 1, "a job of no pods or no time is taken");
    demand(job.segment == 0 || (job.segment >= 2 && job.segment <= job.pods), "a segment of a wrong size");
    const auto& of_job = job.levels;
    demand(of_job.goal() < levels && of_job.whole_preferred < levels && of_job.whole_required < levels,
           "a level that is none");
    demand(!job.pod.requests.empty(), "a job that asks for nothing");
  }
}

std::string written(const std::vector<Job>& jobs, const Site& site) {
  std::ostringstream out;
  write_trace(out, jobs, site);
  return out.str();
}

void check_round_trip(const std::vector<Job>& jobs, const Site& site) {
  const std::string text = written(jobs, site);
  std::istringstream input(text);
  const auto again = read_trace(input, "again", site);
  demand(again.has_value(), "what was written is not read");
  demand(again->size() == jobs.size(), "what was written has other jobs");
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    demand((*again)[i].name == jobs[i].name && (*again)[i].arrival == jobs[i].arrival &&
               (*again)[i].duration == jobs[i].duration && demand_of((*again)[i]) == demand_of(jobs[i]),
           "a job is read back as another one");
  }
}

bool is_small(const std::vector<Job>& jobs) {
  constexpr std::size_t kMostJobs = 6;
  constexpr int kMostPods = 200;
  int pods = 0;
  for (const Job& job : jobs) pods = job.pods > kMostPods ? kMostPods + 1 : pods + job.pods;
  return jobs.size() <= kMostJobs && pods <= kMostPods;
}

void play(const std::vector<Job>& jobs, const Site& site) {
  const Scenario scenario = make_scenario(site, jobs, Queue::kPassing);
  for (const PolicyName& name : policies()) {
    const auto policy = make_policy(name.name, site, 1);
    const auto outcome = simulate(scenario, std::string(name.name), *policy, toposeg::ManualClock());
    demand(outcome.has_value(), "a policy overfills a host");
    const Numbers all = summarise(scenario, *outcome).all;
    demand(all.at_once + all.waited + all.never == all.jobs, "a job is lost");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Site site = make_site(make_cluster("volcano:4x3").value(), "").value();
  std::istringstream input(std::string(reinterpret_cast<const char*>(data), size));
  const auto jobs = read_trace(input, "fuzz", site);
  if (!jobs) {
    const std::string text = jobs.error().text();
    demand(text.starts_with("fuzz"), "a fault without its place");
    demand(text.find_first_of("\n\r") == std::string::npos, "a fault of several lines");
    return 0;
  }
  check_rules(*jobs, site.tree->levels());
  check_round_trip(*jobs, site);
  if (is_small(*jobs)) play(*jobs, site);
  return 0;
}
