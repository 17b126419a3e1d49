// The standing of a workload for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/cli/named_workload.h"
#include "engine/cli/workload_status.h"

namespace toposeg::cli {

// Kind StatusReport of toposeg.io/v1: members are added, never renamed or removed.
[[nodiscard]] nlohmann::ordered_json status_report(const NamedWorkload& named,
                                                   const WorkloadStanding& standing);

}  // namespace toposeg::cli
