// Why something does not fit, in one line a person can act on (placement design, section 4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/kube/records.h"
#include "engine/capacity/view.h"

namespace toposeg::engine {

// A domain for people: label values joined by `/`; the root is the topology itself.
[[nodiscard]] std::string path_text(const Tree& tree, Vertex domain);

// The domains of a level that hold the most pods of a shape: the first two in path order, and how many.
struct Roomiest {
  std::int32_t holds = -1;
  std::size_t count = 0;
  std::vector<Vertex> domains;

  void add(Vertex domain, std::int32_t room);
};

// Of the domains of the level under `within`. O(domains of the level).
[[nodiscard]] Roomiest roomiest(const CapacityView& view, int level, Vertex within, bool beside_extra);

// `no rack can hold 4 pods (best: zone-a/rack-7 holds 3 of 4)`, looking at domains of the level under
// `within`; with kAnywhere, whether `within` as a whole holds them. O(domains of the level).
[[nodiscard]] std::string no_domain(const CapacityView& view, const kube::Topology& topology, int level,
                                    Vertex within, int pods, bool beside_extra = false);
// The same for a level below `within`, once its roomiest domains are known. O(1).
[[nodiscard]] std::string no_domain(const Tree& tree, const kube::Topology& topology, int level,
                                    Vertex within, int pods, bool beside_extra, const Roomiest& best);

// `24 nodes: 13 can take a pod, 8 nvidia.com/gpu full, 2 cordoned, 1 taint gpu=maintenance:NoSchedule, 0
// outside the topology`: every node of the cluster once.
[[nodiscard]] std::string node_counts(const CapacityView& view);
// The same for the nodes of one domain.
[[nodiscard]] std::string node_counts_under(const CapacityView& view, Vertex domain);

}  // namespace toposeg::engine
