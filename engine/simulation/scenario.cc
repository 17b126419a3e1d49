#include "engine/simulation/scenario.h"

#include <map>
#include <tuple>

#include "engine/simulation/planner_policy.h"

namespace toposeg::simulation {
namespace {

std::vector<Yardstick> yardsticks_of(const std::vector<Job>& jobs) {
  using Look = std::tuple<int, kube::ResourceList>;
  std::map<int, std::map<Look, std::int64_t>> pods;
  for (const Job& job : jobs) {
    if (job.segment > 0 && job.goal() != engine::kAnywhere) {
      pods[job.segment][{job.goal(), job.pod.requests}] += job.pods;
    }
  }
  std::vector<Yardstick> yardsticks;
  for (const auto& [segment, looks] : pods) {
    const auto* most = &*looks.begin();
    for (const auto& look : looks) {
      if (look.second > most->second) most = &look;
    }
    Yardstick yardstick{segment, std::get<0>(most->first), {}};
    yardstick.pod.requests = std::get<1>(most->first);
    yardsticks.push_back(std::move(yardstick));
  }
  return yardsticks;
}

}  // namespace

Scenario make_scenario(const Site& site, const std::vector<Job>& jobs, Queue queue) {
  Scenario scenario{site, jobs, queue, {}, {}, yardsticks_of(jobs)};
  PlannerPolicy planner(site);
  Floor idle(site);
  std::map<Demand, std::size_t> numbers;
  std::vector<bool> fits;
  for (const Job& job : jobs) {
    const auto [known, fresh] = numbers.emplace(demand_of(job), numbers.size());
    if (fresh) {
      fits.push_back(planner.place(job, idle).has_value());
      fits.back() ? planner.ended(job) : planner.given_up(job);
    }
    scenario.demand.push_back(known->second);
    scenario.possible.push_back(fits[known->second]);
  }
  return scenario;
}

}  // namespace toposeg::simulation
