// Names of levels to levels of a topology.
#pragma once

#include "common/config/config.h"
#include "common/workload/inputs.h"

namespace toposeg::workload {

// A pair of keys as written, resolved by node label or alias. An unknown level is a cause when it is required
// and a warning when it is preferred, unless `unknown` says otherwise; it is then left out. A preferred level
// that is not closer than the required one is left out with a warning.
[[nodiscard]] Levels resolve_levels(const std::optional<Written>& required,
                                    const std::optional<Written>& preferred, std::string_view preferred_key,
                                    const kube::Topology& topology, config::UnknownLevel unknown,
                                    Findings& findings);

}  // namespace toposeg::workload
