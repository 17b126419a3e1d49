#include "engine/capacity/books.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "common/kube/filters.h"
#include "common/kube/quantity.h"

namespace toposeg::engine {

namespace {

constexpr std::string_view kPods = "pods";

// Far above any kubelet's limit, and small enough that 32 bits hold the sum over 200,000 nodes.
constexpr std::int64_t kMostPodsPerNode = 10'000;
constexpr std::string_view kHostname = "kubernetes.io/hostname";

// Two pods of one shape can neither share a host port nor stand side by side when they repel each other.
bool stands_alone(const kube::PodSpec& shape) {
  return !shape.host_ports.empty() || std::find(shape.anti_affinity.begin(), shape.anti_affinity.end(),
                                                kHostname) != shape.anti_affinity.end();
}

// Nothing used is no entry: equal states are equal lists.
void take_off(kube::ResourceList& used, std::string_view resource, std::int64_t value) {
  const auto it =
      std::find_if(used.begin(), used.end(), [&](const auto& entry) { return entry.first == resource; });
  if (it == used.end()) return;
  it->second -= value;
  if (it->second <= 0) used.erase(it);
}

std::int64_t amount(const kube::ResourceList& list, std::string_view resource) {
  const std::int64_t* value = kube::find(list, resource);
  return value == nullptr ? 0 : *value;
}

}  // namespace

NodeId Books::intern(std::string_view name) {
  const NodeId id = names_->intern(name);
  while (slots_.size() <= id) {
    const std::string& known = names_->name(static_cast<NodeId>(slots_.size()));
    slots_.emplace_back();
    slots_.back().node.name = known;
    kind_of_.push_back(kNoKind);
  }
  return id;
}

void Books::mark(NodeId id) {
  kind_of_[id] = kNoKind;
  if (slots_[id].dirty) return;
  slots_[id].dirty = true;
  dirty_.push_back(id);
}

NodeId Books::upsert(const kube::Node& node) {
  const NodeId id = intern(node.name);
  slots_[id].node = node;
  slots_[id].exists = true;
  mark(id);
  return id;
}

void Books::remove(std::string_view name) {
  const NodeId* id = this->id(name);
  if (id == nullptr) return;
  slots_[*id].exists = false;
  mark(*id);
}

const kube::Node* Books::node(std::string_view name) const {
  const NodeId* id = this->id(name);
  return id != nullptr && slots_[*id].exists ? &slots_[*id].node : nullptr;
}

std::vector<const kube::Node*> Books::nodes() const {
  std::vector<const kube::Node*> nodes;
  for (const Slot& slot : slots_) {
    if (slot.exists) nodes.push_back(&slot.node);
  }
  std::sort(nodes.begin(), nodes.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
  return nodes;
}

void Books::charge(const std::string& key, std::string_view node, const kube::ResourceList& requests,
                   const std::vector<kube::HostPort>& ports) {
  release(key);
  const NodeId id = intern(node);
  Slot& slot = slots_[id];
  for (const auto& [resource, value] : requests) {
    kube::put(slot.used, resource, kube::saturating_add(amount(slot.used, resource), value));
  }
  slot.ports.insert(slot.ports.end(), ports.begin(), ports.end());
  ++slot.pods;
  ++slot.charges;
  charges_.emplace(key, Charge{id, requests, ports});
  mark(id);
}

void Books::release(const std::string& key) {
  const auto it = charges_.find(key);
  if (it == charges_.end()) return;
  const Charge& charge = it->second;
  Slot& slot = slots_[charge.node];
  for (const auto& [resource, value] : charge.requests) {
    take_off(slot.used, resource, value);
  }
  for (const kube::HostPort& port : charge.ports) {
    const auto taken = std::find(slot.ports.begin(), slot.ports.end(), port);
    if (taken != slot.ports.end()) slot.ports.erase(taken);
  }
  --slot.pods;
  --slot.charges;
  mark(charge.node);
  charges_.erase(it);
}

std::string_view Books::charged_node(const std::string& key) const {
  const auto it = charges_.find(key);
  return it == charges_.end() ? std::string_view{} : std::string_view(slots_[it->second.node].node.name);
}

std::vector<NodeId> Books::take_dirty() {
  for (const NodeId id : dirty_) slots_[id].dirty = false;
  return std::exchange(dirty_, {});
}

std::int64_t Books::free(NodeId id, std::string_view resource) const {
  const Slot& slot = slots_[id];
  const std::int64_t used = resource == kPods ? slot.pods : amount(slot.used, resource);
  return amount(slot.node.allocatable, resource) - used;
}

NodeKinds::Kind Books::kind(NodeId id) const {
  if (kind_of_[id] != kNoKind) return kind_of_[id];
  // Far more kinds than nodes are states that were and are no more.
  if (kinds_.size() > 2 * slots_.size() + 1024) {
    kinds_.clear();
    std::fill(kind_of_.begin(), kind_of_.end(), kNoKind);
  }
  return kind_of_[id] = kinds_.of(slots_[id]);
}

// min over the resources asked of floor(free / request), and of the `pods` resource. With `beside`, one pod
// of that spec is taken off first; -1 when it does not fit.
std::int32_t Books::fit(const NodeState& slot, const kube::PodSpec& shape, const kube::PodSpec* beside,
                        std::string_view* bottleneck) {
  std::int64_t count = std::numeric_limits<std::int32_t>::max();
  const auto limit = [&](std::int64_t by, std::string_view resource) {
    const bool tie = by == count && bottleneck != nullptr && resource < *bottleneck;
    if (by > count || (by == count && !tie)) return;
    count = by;
    if (bottleneck != nullptr) *bottleneck = resource;
  };
  const std::int64_t pods = amount(slot.node.allocatable, kPods) - slot.pods - (beside != nullptr ? 1 : 0);
  if (beside != nullptr) {
    for (const auto& [resource, value] : beside->requests) {
      const std::int64_t left = amount(slot.node.allocatable, resource) - amount(slot.used, resource) - value;
      if (value > 0 && left < 0) return -1;
    }
    if (pods < 0) return -1;
  }
  for (const auto& [resource, value] : shape.requests) {
    if (value == 0) continue;
    std::int64_t left = amount(slot.node.allocatable, resource) - amount(slot.used, resource);
    if (beside != nullptr) left -= amount(beside->requests, resource);
    limit(std::max<std::int64_t>(0, left) / value, resource);
  }
  limit(std::max<std::int64_t>(0, pods), kPods);
  return static_cast<std::int32_t>(std::min<std::int64_t>(count, kMostPodsPerNode));
}

std::int32_t Books::capacity(NodeId id, const kube::PodSpec& shape) const { return verdict(id, shape).count; }

std::int32_t Books::capacity_beside(NodeId id, const kube::PodSpec& shape, const kube::PodSpec& extra) const {
  if (verdict_of_labels(id, extra) != Obstacle::kNone) return -1;
  const std::int32_t count = beside_of_kind(id, shape, extra);
  return count > 0 && verdict_of_labels(id, shape) != Obstacle::kNone ? 0 : count;
}

std::int32_t Books::beside_of_kind(NodeId id, const kube::PodSpec& shape, const kube::PodSpec& extra) const {
  if (verdict_of_kind(id, extra).count == 0) return -1;
  const std::int32_t count = fit(slots_[id], shape, &extra, nullptr);
  if (count < 0) return -1;
  if (verdict_of_kind(id, shape).count == 0 || kube::ports_conflict(shape.host_ports, extra.host_ports))
    return 0;
  return stands_alone(shape) ? std::min(count, 1) : count;
}

std::int32_t Books::capacity_when_empty(NodeId id, const kube::PodSpec& shape) const {
  if (!slots_[id].exists || verdict_of_labels(id, shape) != Obstacle::kNone) return 0;
  NodeState empty;
  empty.node.allocatable = slots_[id].node.allocatable;
  for (const kube::Taint& taint : slots_[id].node.taints) {
    if (!kube::tells_of_health(taint)) empty.node.taints.push_back(taint);
  }
  if (kube::untolerated_taint(shape, empty.node) != nullptr) return 0;
  const std::int32_t count = fit(empty, shape, nullptr, nullptr);
  return stands_alone(shape) ? std::min(count, 1) : count;
}

Obstacle Books::verdict_of_labels(NodeId id, const kube::PodSpec& shape) const {
  if (!kube::matches_selector(shape, slots_[id].node)) return Obstacle::kNodeSelector;
  return kube::matches_affinity(shape, slots_[id].node) ? Obstacle::kNone : Obstacle::kAffinity;
}

Verdict Books::verdict(NodeId id, const kube::PodSpec& shape) const {
  Verdict verdict = verdict_of_kind(id, shape);
  const bool first = verdict.obstacle != Obstacle::kNone && verdict.obstacle < Obstacle::kNodeSelector;
  const Obstacle labels = first ? Obstacle::kNone : verdict_of_labels(id, shape);
  return labels == Obstacle::kNone ? verdict : Verdict{0, labels, {}};
}

Verdict Books::verdict_of_kind(NodeId id, const kube::PodSpec& shape) const {
  const Slot& slot = slots_[id];
  if (!slot.exists) return {0, Obstacle::kGone, {}};
  if (kube::cordoned_for(shape, slot.node)) return {0, Obstacle::kCordoned, {}};
  if (!slot.node.ready) return {0, Obstacle::kNotReady, {}};
  if (const kube::Taint* taint = kube::untolerated_taint(shape, slot.node); taint != nullptr) {
    return {0, Obstacle::kTaint, kube::to_text(*taint)};
  }
  if (kube::ports_conflict(shape.host_ports, slot.ports)) return {0, Obstacle::kHostPort, {}};
  std::string_view bottleneck;
  const std::int32_t count = fit(slot, shape, nullptr, &bottleneck);
  if (count == 0) return {0, Obstacle::kFull, std::string(bottleneck)};
  return {stands_alone(shape) ? 1 : count, Obstacle::kNone, {}};
}

}  // namespace toposeg::engine
