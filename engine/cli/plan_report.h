// The plan as a document for programs: versioned, described in docs/user-guide.md.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "engine/cli/planned_workload.h"

namespace toposeg::cli {

// apiVersion toposeg.io/v1, kind PlanReport. Members are added within a version, never renamed or removed.
[[nodiscard]] nlohmann::ordered_json plan_report(std::span<const PlannedWorkload> workloads);

}  // namespace toposeg::cli
