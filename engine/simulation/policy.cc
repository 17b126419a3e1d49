#include "engine/simulation/policy.h"

#include "engine/simulation/greedy_policy.h"
#include "engine/simulation/planner_policy.h"

namespace toposeg::simulation {

const std::vector<PolicyName>& policies() {
  static const std::vector<PolicyName> all{
      {"toposeg", "the exact planner, all segments of a job at once; nobody delays an older job"},
      {"toposeg-passing", "the same, but whoever finds room starts, as under the policies below"},
      {"first-fit", "segment by segment, the first domain by name that has room"},
      {"widest-first", "segment by segment, the domain with most room"},
      {"tightest", "segment by segment, the domain with least room that is enough"},
      {"random", "segment by segment, any domain that has room, by lot"},
  };
  return all;
}

std::unique_ptr<Policy> make_policy(std::string_view name, const Site& site, std::uint64_t seed) {
  if (name == "toposeg") return std::make_unique<PlannerPolicy>(site);
  if (name == "toposeg-passing") return std::make_unique<PlannerPolicy>(site, config::Passing::kFree);
  if (name == "first-fit") return std::make_unique<GreedyPolicy>(GreedyPolicy::Rule::kFirst, seed);
  if (name == "widest-first") return std::make_unique<GreedyPolicy>(GreedyPolicy::Rule::kWidest, seed);
  if (name == "tightest") return std::make_unique<GreedyPolicy>(GreedyPolicy::Rule::kTightest, seed);
  if (name == "random") return std::make_unique<GreedyPolicy>(GreedyPolicy::Rule::kRandom, seed);
  return nullptr;
}

}  // namespace toposeg::simulation
