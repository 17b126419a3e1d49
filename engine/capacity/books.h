// What every node has, and what is taken from it: by pods and by reservations alike. The single source of
// "free".
//
// A charge is one pod's claim on one node. Charges are keyed by the caller (a pod's uid, a reservation's id)
// so that the same claim is never counted twice: charging a key again moves it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/kube/records.h"
#include "engine/capacity/node_kinds.h"
#include "engine/topology/node_names.h"

namespace toposeg::engine {

// Why a node takes no (further) pod of a shape. Ordered as the checks run: the first that holds is the
// reason.
enum class Obstacle : std::uint8_t {
  kNone,
  kGone,  // the Node object was removed
  kCordoned,
  kNotReady,
  kTaint,
  kNodeSelector,
  kAffinity,
  kHostPort,
  kFull,  // a resource is used up
  kHeld,  // kept for somebody else; never a verdict of the books
};

struct Verdict {
  std::int32_t count = 0;  // pods of the shape that still fit, 0 with an obstacle
  Obstacle obstacle = Obstacle::kNone;
  std::string detail;  // taint text, resource name; empty otherwise
};

class Books {
 public:
  // With names of their own, or with those by which trees are known already.
  Books() : Books(std::make_shared<NodeNames>()) {}
  explicit Books(std::shared_ptr<NodeNames> names) : names_(std::move(names)) {}

  // Nodes. O(1) amortised; a node that is removed keeps its charges (its pods may still run).
  NodeId upsert(const kube::Node& node);
  void remove(std::string_view name);
  [[nodiscard]] const kube::Node* node(std::string_view name) const;
  [[nodiscard]] const NodeId* id(std::string_view name) const {
    const NodeId* id = names_->find(name);
    return id != nullptr && *id < slots_.size() ? id : nullptr;
  }
  // Every name of a node or of a charge; grows only, and with these books.
  [[nodiscard]] std::shared_ptr<const NodeNames> names() const { return names_; }
  [[nodiscard]] const kube::Node& node(NodeId id) const { return slots_[id].node; }
  [[nodiscard]] bool exists(NodeId id) const { return slots_[id].exists; }
  [[nodiscard]] std::vector<const kube::Node*> nodes() const;  // by name

  // Charges. `what` names the pod's requests (without `pods`, which is always one) and host ports.
  // A charge on a node that is not there yet counts as soon as it comes.
  void charge(const std::string& key, std::string_view node, const kube::ResourceList& requests,
              const std::vector<kube::HostPort>& ports);
  void release(const std::string& key);
  [[nodiscard]] bool charged(const std::string& key) const { return charges_.contains(key); }
  // The node a charge stands on, or empty.
  [[nodiscard]] std::string_view charged_node(const std::string& key) const;

  // Nodes touched since the last call, each once: their capacity must be looked at again.
  [[nodiscard]] std::vector<NodeId> take_dirty();

  // How many pods of this shape the node still takes. At most 10,000. O(resources + filters).
  [[nodiscard]] std::int32_t capacity(NodeId id, const kube::PodSpec& shape) const;
  // The same after one pod of `extra` was put there; -1 when `extra` itself does not fit.
  [[nodiscard]] std::int32_t capacity_beside(NodeId id, const kube::PodSpec& shape,
                                             const kube::PodSpec& extra) const;
  [[nodiscard]] Verdict verdict(NodeId id, const kube::PodSpec& shape) const;
  // On the node as it would be with nothing running on it, ready and not cordoned.
  [[nodiscard]] std::int32_t capacity_when_empty(NodeId id, const kube::PodSpec& shape) const;
  // The same as verdict() without looking at the node's labels, hence equal for nodes of one kind; and what
  // the labels add: kNone, kNodeSelector or kAffinity, which rank between kTaint and kHostPort.
  [[nodiscard]] Verdict verdict_of_kind(NodeId id, const kube::PodSpec& shape) const;
  [[nodiscard]] std::int32_t beside_of_kind(NodeId id, const kube::PodSpec& shape,
                                            const kube::PodSpec& extra) const;
  [[nodiscard]] Obstacle verdict_of_labels(NodeId id, const kube::PodSpec& shape) const;
  // Valid for one generation of kinds. O(1) while the node does not change.
  [[nodiscard]] NodeKinds::Kind kind(NodeId id) const;
  [[nodiscard]] const NodeKinds& kinds() const { return kinds_; }

  [[nodiscard]] std::int64_t free(NodeId id, std::string_view resource) const;
  [[nodiscard]] std::size_t charges_on(NodeId id) const { return slots_[id].charges; }

 private:
  static constexpr NodeKinds::Kind kNoKind = static_cast<NodeKinds::Kind>(-1);

  struct Slot : NodeState {
    bool dirty = false;
    std::size_t charges = 0;
  };
  struct Charge {
    NodeId node;
    kube::ResourceList requests;
    std::vector<kube::HostPort> ports;
  };

  NodeId intern(std::string_view name);
  void mark(NodeId id);
  static std::int32_t fit(const NodeState& slot, const kube::PodSpec& shape, const kube::PodSpec* beside,
                          std::string_view* bottleneck);

  std::vector<Slot> slots_;
  std::shared_ptr<NodeNames> names_;  // the id is the slot's index
  std::unordered_map<std::string, Charge> charges_;
  std::vector<NodeId> dirty_;
  mutable NodeKinds kinds_;  // found when asked for
  mutable std::vector<NodeKinds::Kind> kind_of_;
};

}  // namespace toposeg::engine
