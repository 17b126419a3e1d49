// Levels that a managed workload gets without asking (seed page, automatic placement).
#pragma once

#include "common/workload/inputs.h"
#include "common/workload/normalise.h"

namespace toposeg::workload {

// Which keys were filled in; their value is the closest level of the topology.
struct Automatic {
  bool segment_preferred = false;
  bool whole_preferred = false;
};

// Fills in the levels of `workload`, whose topology is `topology`. A key that the user wrote, even an empty
// one, is the user's own word: nothing is added beside it.
[[nodiscard]] Automatic add_automatic_levels(const json::Document& object, const Manifest& manifest,
                                             const kube::Topology& topology,
                                             const config::WorkloadConfig& config, Workload& workload);

}  // namespace toposeg::workload
