// From pods on leaves to numbered segments.
#pragma once

#include "engine/planner/closed.h"
#include "engine/planner/problem.h"

namespace toposeg::engine {

// Cuts the pods of every closing domain into its segments, in depth-first order: the first segment, the full
// ones, the partial one. Writes segments, hosts and the extra pod's host; full segments end up in the order
// of their first host.
void assign(const Tree& tree, const Problem& problem, const Spread& spread, Solution& solution);

// The level that segments are to reach: the preferred one, else the required one.
[[nodiscard]] int level_to_reach(const Problem& problem);

// Fills domain and climbed of a segment from its hosts, and orders the segments. For makers of segments.
void name_domains(const Tree& tree, const Problem& problem, Solution& solution);

}  // namespace toposeg::engine
