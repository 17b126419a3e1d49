// What is simulated: a site, a trace, the rules of the queue; the same for every policy.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/simulation/job.h"
#include "engine/simulation/site.h"

namespace toposeg::simulation {

enum class Queue : std::uint8_t {
  kPassing,  // a younger job may start while an older one finds no room
  kStrict,   // nobody starts before an older job
};

// By what fragmentation is measured for one segment size: the pods and the level with which most of the
// trace's pods ask for it.
struct Yardstick {
  int segment = 0;
  int level = 0;
  kube::PodSpec pod;
};

struct Scenario {
  const Site& site;
  const std::vector<Job>& jobs;  // in order of arrival
  Queue queue = Queue::kPassing;
  std::vector<std::size_t> demand;    // per job: the same number for the same demand
  std::vector<bool> possible;         // per job: whether the idle site holds it
  std::vector<Yardstick> yardsticks;  // by segment size
};

// Both must outlive the scenario. Whether a job is possible is the planner's word, which is exact.
[[nodiscard]] Scenario make_scenario(const Site& site, const std::vector<Job>& jobs, Queue queue);

}  // namespace toposeg::simulation
