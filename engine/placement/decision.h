// What a pod is to carry, from its seat in the ledger.
#pragma once

#include <cstddef>

#include "engine/placement/engine.h"
#include "engine/placement/scope.h"

namespace toposeg::engine {

// Segment numbers, topology and levels; no domain, no host.
[[nodiscard]] PodDecision bare_decision(const workload::Workload& workload, const workload::Member& member);

// `bare_decision` of a member plus its seat's place. `cluster_nodes` decides how firmly a preferred domain is
// written.
[[nodiscard]] PodDecision decide(PodDecision bare, const Desk& desk, const Scope& scope,
                                 const SeatEntry& entry, std::size_t cluster_nodes);

}  // namespace toposeg::engine
