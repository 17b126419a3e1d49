// Kubernetes objects as plain records: only what placement needs, nothing of the wire format.
//
// Label maps and resource lists are small sorted vectors: they are compared, hashed and walked far more often
// than searched, and fifty thousand pods have to fit in memory. Use find() below to look a key up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toposeg::kube {

// Sorted by key, keys unique.
using StringMap = std::vector<std::pair<std::string, std::string>>;

// Resource name -> amount, sorted by name, names unique, amounts >= 0. The unit is the scheduler's own: milli
// for `cpu`, whole units (bytes, devices, pods) for everything else, both rounded up.
using ResourceList = std::vector<std::pair<std::string, std::int64_t>>;

// The value of a key, or nullptr. O(log n).
template <typename Value>
[[nodiscard]] const Value* find(const std::vector<std::pair<std::string, Value>>& map, std::string_view key) {
  const auto it = std::lower_bound(map.begin(), map.end(), key,
                                   [](const auto& entry, std::string_view k) { return entry.first < k; });
  return it != map.end() && it->first == key ? &it->second : nullptr;
}

// Inserts or overwrites, keeping the order. O(n).
template <typename Value>
void put(std::vector<std::pair<std::string, Value>>& map, std::string_view key, Value value) {
  const auto it = std::lower_bound(map.begin(), map.end(), key,
                                   [](const auto& entry, std::string_view k) { return entry.first < k; });
  if (it != map.end() && it->first == key) {
    it->second = std::move(value);
  } else {
    map.emplace(it, std::string(key), std::move(value));
  }
}

// namespace/name, unique among the objects of a kind.
[[nodiscard]] inline std::string full_name(std::string_view namespace_, std::string_view name) {
  std::string full(namespace_);
  full += '/';
  full += name;
  return full;
}

enum class TaintEffect : std::uint8_t { kNoSchedule, kPreferNoSchedule, kNoExecute };

struct Taint {
  std::string key;
  std::string value;
  TaintEffect effect = TaintEffect::kNoSchedule;
  friend bool operator==(const Taint&, const Taint&) = default;
};

struct Toleration {
  std::string key;  // empty with exists = every taint
  std::string value;
  bool exists = false;                // operator Exists; false = Equal
  std::optional<TaintEffect> effect;  // none = every effect
  friend bool operator==(const Toleration&, const Toleration&) = default;
};

// One expression of a node selector term. kGt and kLt compare the label as an integer.
enum class Operator : std::uint8_t { kIn, kNotIn, kExists, kDoesNotExist, kGt, kLt };

struct NodeExpression {
  std::string key;
  Operator op = Operator::kIn;
  std::vector<std::string> values;
  friend bool operator==(const NodeExpression&, const NodeExpression&) = default;
};

// Expressions are ANDed; `fields` holds matchFields (only metadata.name exists upstream). An empty term
// matches nothing.
struct NodeSelectorTerm {
  std::vector<NodeExpression> expressions;
  std::vector<NodeExpression> fields;
  friend bool operator==(const NodeSelectorTerm&, const NodeSelectorTerm&) = default;
};

struct HostPort {
  std::int32_t port = 0;
  std::string protocol = "TCP";
  std::string ip = "0.0.0.0";
  friend bool operator==(const HostPort&, const HostPort&) = default;
  friend auto operator<=>(const HostPort&, const HostPort&) = default;
};

struct OwnerReference {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
  bool controller = false;
  friend bool operator==(const OwnerReference&, const OwnerReference&) = default;
};

// What the scheduler's filters ask of one pod: two pods with equal specs fit on the same nodes ("shape").
struct PodSpec {
  ResourceList requests;  // effective request, see pod_requests.h; never holds `pods`
  StringMap node_selector;
  std::vector<NodeSelectorTerm> affinity;  // required terms, ORed; meaningful only if has_affinity
  bool has_affinity = false;               // a required block with no terms matches nothing
  std::vector<Toleration> tolerations;
  std::vector<HostPort> host_ports;        // sorted
  std::vector<std::string> anti_affinity;  // topology keys on which the pod repels pods like itself, sorted
  std::string scheduler_name;              // empty = default-scheduler
  std::string node_name;                   // set = already bound or pinned by hand
  // Constraints that cannot be counted (volumes, resource claims, other pods' affinity), for a warning. Not
  // part of the shape.
  std::vector<std::string> uncounted;
};

struct Node {
  std::string name;
  StringMap labels;
  ResourceList allocatable;  // holds `pods`
  std::vector<Taint> taints;
  bool unschedulable = false;
  bool ready = true;
  friend bool operator==(const Node&, const Node&) = default;
};

enum class PodPhase : std::uint8_t { kPending, kRunning, kSucceeded, kFailed, kUnknown };

// A pod as the books need it. Labels and annotations are only those that identify it as a member of a
// workload or carry our own decision; readers drop the rest.
struct Pod {
  std::string namespace_;
  std::string name;
  std::string uid;
  std::string node_name;  // empty = not bound
  PodPhase phase = PodPhase::kPending;
  bool terminating = false;
  ResourceList requests;  // larger of effective request and allocated (in-place resize)
  std::vector<HostPort> host_ports;
  std::vector<OwnerReference> owners;
  StringMap labels;
  StringMap annotations;
  std::vector<std::string> gates;
  std::int64_t created = 0;  // seconds since the epoch, 0 = unknown

  [[nodiscard]] bool ended() const { return phase == PodPhase::kSucceeded || phase == PodPhase::kFailed; }
};

struct TopologyLevel {
  std::string node_label;
  std::string alias;  // may be empty
  friend bool operator==(const TopologyLevel&, const TopologyLevel&) = default;
};

// Levels broad to close, 1 to 16 of them (checked by validate_topology, topology.h).
struct Topology {
  std::string name;
  std::vector<TopologyLevel> levels;
  std::string api_group;  // kai.scheduler or kueue.x-k8s.io
  friend bool operator==(const Topology&, const Topology&) = default;
};

// One reading of a cluster, in the order of the input.
struct Cluster {
  std::vector<Node> nodes;
  std::vector<Pod> pods;
  std::vector<Topology> topologies;
};

}  // namespace toposeg::kube
