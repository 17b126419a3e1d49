// Which Topology a workload is placed by.
#pragma once

#include "common/workload/inputs.h"
#include "common/workload/normalise.h"

namespace toposeg::workload {

// What depends on the choice.
struct TopologyNeed {
  bool managed = false;
  bool level = false;     // the user asks for some level
  bool required = false;  // one of them is required
};

// The named one, else (managed) the one of the node pool, else the configured default, else the only one of
// the cluster. nullptr when there is none or nothing needs one; then a cause where a required level depends
// on it, a warning otherwise. `context.config.unknown` may turn either into the other.
[[nodiscard]] const kube::Topology* choose_topology(const Manifest& manifest, const Inputs& inputs,
                                                    const TopologyNeed& need, const NormaliseContext& context,
                                                    Findings& findings);

}  // namespace toposeg::workload
