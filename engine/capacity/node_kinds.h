// Which nodes are alike: equal in everything that a pod's fit depends on but their names and labels. A
// cluster has few kinds of nodes in few states, so what was found out about one node holds for thousands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "common/kube/records.h"

namespace toposeg::engine {

// A node as it stands: what it offers, what keeps pods off it, and what is taken.
struct NodeState {
  kube::Node node;
  bool exists = false;
  kube::ResourceList used;  // sorted; without `pods`
  std::int64_t pods = 0;
  std::vector<kube::HostPort> ports;  // taken; with repeats
};

// Not thread safe. Kinds are forgotten all at once, by clear(): the generation tells.
class NodeKinds {
 public:
  using Kind = std::uint32_t;  // dense from 0

  // O(size of the state); allocates for a new kind only.
  [[nodiscard]] Kind of(const NodeState& state);
  [[nodiscard]] std::size_t size() const { return samples_.size(); }
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  void clear();

 private:
  std::vector<NodeState> samples_;  // without names and labels
  std::unordered_multimap<std::uint64_t, Kind> index_;
  std::uint64_t generation_ = 0;
};

}  // namespace toposeg::engine
