// Why something does not fit, in one line a person can act on (placement design, section 4).
#pragma once

#include <string>

#include "common/kube/records.h"
#include "engine/capacity/view.h"

namespace toposeg::engine {

// A domain for people: label values joined by `/`; the root is the topology itself.
[[nodiscard]] std::string path_text(const Tree& tree, Vertex domain);

// `no rack can hold 4 pods (best: zone-a/rack-7 holds 3 of 4)`, looking at domains of the level under
// `within`; with kAnywhere, whether `within` as a whole holds them. O(domains of the level).
[[nodiscard]] std::string no_domain(const CapacityView& view, const kube::Topology& topology, int level,
                                    Vertex within, int pods, bool beside_extra = false);

// `24 nodes: 13 can take a pod, 8 nvidia.com/gpu full, 2 cordoned, 1 taint gpu=maintenance:NoSchedule, 0
// outside the topology`: every node of the cluster once.
[[nodiscard]] std::string node_counts(const CapacityView& view);
// The same for the nodes of one domain.
[[nodiscard]] std::string node_counts_under(const CapacityView& view, Vertex domain);

}  // namespace toposeg::engine
