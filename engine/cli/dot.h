// Pictures in Graphviz' language.
#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "engine/placement/engine.h"

namespace toposeg::cli {

// The domains in `labels` (by their place in view.domains), joined to the domain they lie in. The caller
// names a domain's parents too. Deterministic.
void write_dot(std::ostream& out, const engine::TopologyView& view,
               const std::map<std::size_t, std::string>& labels);

// For each domain of the view the place of the one it lies in; its own place at the top level.
[[nodiscard]] std::vector<std::size_t> parents_of(const engine::TopologyView& view);

// True for a node that says no more than the domain above it: the only one there, and of the same name.
[[nodiscard]] bool repeats_parent(const engine::TopologyView& view, std::size_t at);

}  // namespace toposeg::cli
