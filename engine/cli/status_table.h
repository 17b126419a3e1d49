// The standing of a workload as a table: one row a segment, and one a role of pods in no segment.
#pragma once

#include <iosfwd>

#include "engine/cli/named_workload.h"
#include "engine/cli/workload_status.h"

namespace toposeg::cli {

// Ends with a line of summary and the reasons why something waits or stands apart. `wide` adds the level that
// was asked for and names every node.
void print_status_table(std::ostream& out, const NamedWorkload& named, const WorkloadStanding& standing,
                        bool wide, bool colour);

}  // namespace toposeg::cli
