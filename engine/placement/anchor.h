// How much of a preferred domain is written as required, so that it still holds on large clusters (placement
// design, section 5). From 100 nodes on the stock scheduler scores only a sample of the feasible nodes; a
// preferred term works as long as the domain it is sought in is no larger than that sample.
#pragma once

#include <cstddef>

#include "engine/topology/tree.h"

namespace toposeg::engine {

// Nodes that the stock scheduler looks at on a cluster of that many (its percentageOfNodesToScore left at 0).
[[nodiscard]] std::size_t scheduler_sample(std::size_t cluster_nodes);

// How many labels of the domain's path are to be required: down to its widest ancestor (or itself) that holds
// no more nodes than the sample. 0 = none: the cluster is no larger than the smallest sample, or even the
// domain is too large.
[[nodiscard]] std::size_t anchor_length(const Tree& tree, Vertex domain, std::size_t cluster_nodes);

}  // namespace toposeg::engine
