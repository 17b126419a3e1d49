// The tree of a topology with what it holds, as an indented table.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "engine/placement/engine.h"

namespace toposeg::cli {

struct TreeNumbers {
  std::string resource;             // what FREE and TOTAL count
  std::vector<std::int64_t> total;  // by place in view.domains
};

// One row a domain. Neighbours that are alike in everything but their names are folded into one row from
// three on, unless `unfolded`.
void print_topology_tree(std::ostream& out, const engine::TopologyView& view, const TreeNumbers& numbers,
                         bool unfolded, bool colour);

}  // namespace toposeg::cli
