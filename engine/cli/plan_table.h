// A plan for people.
#pragma once

#include <span>

#include "engine/cli/planned_workload.h"

namespace toposeg::cli {

// One row a segment (and one for the pods in no segment), then a summary of each workload with the reasons
// indented below it. `wide` adds the hosts. Refused workloads only have a summary line.
void print_plan_table(std::ostream& out, std::span<const PlannedWorkload> workloads, const Session& session,
                      bool wide, bool colour);

}  // namespace toposeg::cli
