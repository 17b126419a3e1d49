// A plan as a picture: the part of the tree that it uses, with the segments on their hosts.
#pragma once

#include <iosfwd>
#include <span>

#include "engine/cli/planned_workload.h"

namespace toposeg::cli {

// One graph for each topology that a plan uses, in Graphviz' language.
void print_plan_picture(std::ostream& out, std::span<const PlannedWorkload> workloads, Session& session);

}  // namespace toposeg::cli
