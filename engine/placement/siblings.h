// Pods of one workload that repel each other on a level of the topology: where some stand already, others of
// the same shape find no place in the same domain.
#pragma once

#include <memory>
#include <vector>

#include "engine/capacity/view.h"
#include "engine/placement/scope.h"

namespace toposeg::engine {

// Domains of the shape's repel_level() in which pods of this shape have a place, planned ones included; in
// path order, each once. Empty when they repel nobody. O(seats of the workload).
[[nodiscard]] std::vector<Vertex> lone_domains(const Desk& desk, const Scope& scope,
                                               const kube::PodSpec& shape);

// The view without these domains, for its shape and for the extra one. The view itself when there are none.
[[nodiscard]] std::shared_ptr<const CapacityView> apart_from_siblings(
    const Desk& desk, const Scope& scope, std::shared_ptr<const CapacityView> view);

}  // namespace toposeg::engine
