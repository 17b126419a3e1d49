// Which nodes a waiting workload may come to use, so that a later one must not take them: the nodes that take
// its pods when nothing runs on them, in domains that could hold one of its segments then. A workload that
// would not even fit the empty cluster holds nothing: nobody waits for what cannot come.
#pragma once

#include <memory>
#include <optional>

#include "engine/capacity/view.h"
#include "engine/placement/scope.h"

namespace toposeg::engine {

// What is open to segments of the scope that have not begun: the view, less what earlier workloads hold and
// what pods of the same workload keep their like away from.
// Once a decision O(vertices) for each different demand among those that wait before it, and O(1) for each
// of those; O(1) when none waits.
[[nodiscard]] std::shared_ptr<const CapacityView> open_view(Desk& desk, const Scope& scope,
                                                            const std::optional<kube::PodSpec>& extra);

// Whether open_view() leaves anything out for this scope. The same cost.
[[nodiscard]] bool is_held_back(Desk& desk, const Scope& scope);

}  // namespace toposeg::engine
