// Traces by lot, for trying things at once. docs/simulate.md tells the distribution.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/simulation/job.h"
#include "engine/simulation/site.h"

namespace toposeg::simulation {

struct TraceRequest {
  int jobs = 1000;
  std::uint64_t seed = 1;
  double load = 0.9;  // work that arrives over what the idle cluster does in the same time
};

// Named job-0001 and so on, in order of arrival. The same request on the same site gives the same jobs.
[[nodiscard]] std::vector<Job> make_trace(const Site& site, const TraceRequest& request);

}  // namespace toposeg::simulation
