// One job of a trace: when it comes, how long it runs, what it asks for.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "common/kube/records.h"
#include "engine/placement/scope.h"

namespace toposeg::simulation {

// Virtual time: whole seconds since the trace began.
using Seconds = std::int64_t;

struct Job {
  std::string name;
  Seconds arrival = 0;
  Seconds duration = 1;
  int pods = 1;
  int segment = 0;  // pods in a segment; 0 = not segmented
  engine::LevelIndices levels;
  kube::PodSpec pod;  // every pod of the job is like this

  // Pods of each segment, the partial one last; all pods together when not segmented.
  [[nodiscard]] std::vector<int> segments() const {
    std::vector<int> sizes;
    const int size = segment > 0 ? segment : pods;
    for (int left = pods; left > 0; left -= size) sizes.push_back(left < size ? left : size);
    return sizes;
  }
  // The level that a segment tries to reach, kAnywhere for none.
  [[nodiscard]] int goal() const {
    if (segment > 0) return levels.goal();
    return levels.whole_preferred != engine::kAnywhere ? levels.whole_preferred : levels.whole_required;
  }
};

// Jobs that ask for the same fit or fail together.
using Demand = std::tuple<int, int, int, int, int, int, kube::ResourceList>;

[[nodiscard]] inline Demand demand_of(const Job& job) {
  return {job.pods,
          job.segment,
          job.levels.segment_required,
          job.levels.segment_preferred,
          job.levels.whole_required,
          job.levels.whole_preferred,
          job.pod.requests};
}

}  // namespace toposeg::simulation
