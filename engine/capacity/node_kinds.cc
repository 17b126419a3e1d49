#include "engine/capacity/node_kinds.h"

#include <functional>
#include <string_view>
#include <tuple>

namespace toposeg::engine {

namespace {

class Hash {
 public:
  void add(std::uint64_t value) {
    hash_ = (hash_ ^ value) * 0x9e3779b97f4a7c15U;
    hash_ ^= hash_ >> 32U;
  }
  void add(std::string_view text) { add(std::hash<std::string_view>{}(text)); }
  void add(const kube::ResourceList& list) {
    for (const auto& [resource, amount] : list) {
      add(resource);
      add(static_cast<std::uint64_t>(amount));
    }
    add(list.size());
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0;
};

std::uint64_t hash_of(const NodeState& state) {
  Hash hash;
  hash.add(static_cast<std::uint64_t>(state.exists) | static_cast<std::uint64_t>(state.node.ready) << 1U |
           static_cast<std::uint64_t>(state.node.unschedulable) << 2U);
  hash.add(state.node.allocatable);
  hash.add(state.used);
  hash.add(static_cast<std::uint64_t>(state.pods));
  for (const kube::Taint& taint : state.node.taints) {
    hash.add(taint.key);
    hash.add(taint.value);
    hash.add(static_cast<std::uint64_t>(taint.effect));
  }
  for (const kube::HostPort& port : state.ports) hash.add(static_cast<std::uint64_t>(port.port));
  return hash.value();
}

bool alike(const NodeState& a, const NodeState& b) {
  const auto key = [](const NodeState& s) {
    return std::tie(s.exists, s.node.ready, s.node.unschedulable, s.pods, s.used, s.node.allocatable,
                    s.node.taints, s.ports);
  };
  return key(a) == key(b);
}

}  // namespace

NodeKinds::Kind NodeKinds::of(const NodeState& state) {
  const std::uint64_t hash = hash_of(state);
  const auto [begin, end] = index_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    if (alike(samples_[it->second], state)) return it->second;
  }
  const auto kind = static_cast<Kind>(samples_.size());
  samples_.push_back(state);
  samples_.back().node.name.clear();
  samples_.back().node.labels.clear();
  index_.emplace(hash, kind);
  return kind;
}

void NodeKinds::clear() {
  samples_.clear();
  index_.clear();
  ++generation_;
}

}  // namespace toposeg::engine
