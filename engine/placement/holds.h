// Which nodes a waiting workload may come to use, so that a later one must not take them: the nodes that take
// its pods when nothing runs on them, in domains that could hold one of its segments then. A workload that
// would not even fit the empty cluster holds nothing: nobody waits for what cannot come.
#pragma once

#include <memory>
#include <vector>

#include "engine/capacity/books.h"
#include "engine/placement/queue.h"
#include "engine/placement/scope.h"
#include "engine/topology/tree.h"

namespace toposeg::engine {

// One flag a leaf of the tree (index: leaf - first leaf); empty = it holds nothing in this topology.
// O(vertices).
[[nodiscard]] std::vector<std::uint8_t> nodes_of_use(const Queue::Entry& entry, const Tree& tree,
                                                     const Books& books);

// What is open to segments of the scope that have not begun: the view, less what earlier workloads hold.
// O(vertices) a workload that waits before it, O(1) when none does.
[[nodiscard]] std::shared_ptr<const CapacityView> open_view(Desk& desk, const Scope& scope,
                                                            const std::optional<kube::PodSpec>& extra);

// Whether open_view() leaves anything out for this scope. O(vertices) a workload that waits before it.
[[nodiscard]] bool is_held_back(Desk& desk, const Scope& scope);

}  // namespace toposeg::engine
