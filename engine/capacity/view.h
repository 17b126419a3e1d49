// How many pods of one shape (and, beside them, one pod of another shape) every domain of a tree still takes:
// one array per shape, indexed by vertex, kept current in O(levels) per changed node. This is all that the
// planner reads.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/kube/records.h"
#include "engine/capacity/books.h"
#include "engine/topology/tree.h"

namespace toposeg::engine {

// Equal shapes fit on the same nodes, equally often: everything of the spec but what cannot be counted.
[[nodiscard]] bool same_shape(const kube::PodSpec& a, const kube::PodSpec& b);

// The widest level of the tree on which the shape's pods repel each other, so that each of its domains takes
// one of them; -1 = none.
[[nodiscard]] int repel_level(const Tree& tree, const kube::PodSpec& shape);
[[nodiscard]] bool any_repel(const Tree& tree, std::span<const kube::PodSpec> shapes);

class CapacityView {
 public:
  // One pass over the tree's nodes. `extra`: the pod of another shape that a group has beside its workers
  // (leader, Master). `books` is only read, here and in update(); the view does not keep it.
  CapacityView(std::shared_ptr<const Tree> tree, const Books& books, kube::PodSpec shape,
               std::optional<kube::PodSpec> extra = std::nullopt);

  // The node's capacity changed. Ids of nodes outside the tree are ignored. A shape whose pods repel each
  // other on a level of the tree is counted anew. O(levels * children of a changed domain with an extra,
  // O(levels) without).
  void update(const Books& books, NodeId node);

  // The tree has one node more or less: `tree` came from this view's tree by `change`. Equal to a view made
  // of it from nothing. O(vertices) for moving the arrays, no node but this one is judged.
  void follow(std::shared_ptr<const Tree> tree, const TreeChange& change, const Books& books);

  // Takes the flagged nodes (one flag a leaf in order) out of what can be had: they are kept for `whom`.
  // O(vertices). For copies that live for one decision: a later update() of such a node lets it in again.
  void hold(std::span<const std::uint8_t> leaves, const std::string& whom);

  // Lets the node take at most `pods` pods of the shape, and the extra pod only if `extra`. What counts as
  // left over in it and above stays as it was: room(). Never more than before. O(levels * children of a
  // domain). For copies that live for one decision: they take neither update() nor follow() nor hold().
  void limit(Vertex leaf, std::int32_t pods, bool extra);

  // limit() for all nodes of the domain: pods of the shape, or the extra pod, find no place there any more.
  void close(Vertex domain);
  void close_to_extra(Vertex domain);

  [[nodiscard]] const Tree& tree() const { return *tree_; }
  [[nodiscard]] const std::shared_ptr<const Tree>& shared_tree() const { return tree_; }
  [[nodiscard]] const kube::PodSpec& shape() const { return shape_; }
  [[nodiscard]] const std::optional<kube::PodSpec>& extra() const { return extra_; }

  // repel_level() of the tree and the shape.
  [[nodiscard]] int alone_at() const { return alone_at_; }
  // True when one of the domains of alone_at() has several nodes for the one pod that it takes. The view
  // shows it on one of these nodes, so what is best on the view may not be best.
  [[nodiscard]] bool picks_nodes() const { return picked_; }

  // Pods of the shape that the domain takes: sum over its nodes.
  [[nodiscard]] std::int32_t capacity(Vertex v) const { return capacity_[v]; }
  // The same before any limit(): what a domain that is used is worth.
  [[nodiscard]] std::int32_t room(Vertex v) const { return limited() ? room_[v] : capacity_[v]; }
  [[nodiscard]] bool limited() const { return !room_.empty(); }
  // The most it takes beside one extra pod placed in it where that costs least; -1 = the extra fits nowhere
  // in it. Without an extra shape: -1 everywhere.
  [[nodiscard]] std::int32_t beside(Vertex v) const { return beside_[v]; }
  // Equal for domains that are the same to the planner: same level and same multiset of children, down to the
  // nodes' capacities (a 64-bit mix; compared together with level, capacity and beside).
  [[nodiscard]] std::uint64_t signature(Vertex v) const { return signature_[v]; }

  // Counts of nodes under a domain by obstacle, for the reasons of a refusal. For the root this is kept
  // current.
  struct ObstacleCount {
    Obstacle obstacle = Obstacle::kNone;
    std::string detail;
    std::int32_t nodes = 0;
  };
  // Sorted by obstacle, then detail. O(nodes under v), O(kinds of obstacles) for the root.
  [[nodiscard]] std::vector<ObstacleCount> obstacles(Vertex v) const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  // What is known of a kind of node, whatever its labels.
  struct Judged {
    std::int32_t count = -1;  // -1 = not judged yet
    std::int32_t beside = -1;
    std::uint32_t obstacle = 0;  // into obstacle_counts_
    bool final = false;          // the obstacle ranks before those of labels
  };

  [[nodiscard]] const Judged& judged(const Books& books, NodeId node);
  void judge(const Books& books, Vertex leaf, NodeId node);
  void count(const Books& books);
  void keep_apart();
  void take_in(const TreeChange& change, const Books& books);
  void leave_out(const TreeChange& change, std::shared_ptr<const Tree> next);
  void climb(Vertex from, std::int32_t change);
  void sum_up(Vertex v);
  void refresh_beside(Vertex v);
  void refresh_signature(Vertex v);

  std::shared_ptr<const Tree> tree_;
  kube::PodSpec shape_;
  std::optional<kube::PodSpec> extra_;
  std::vector<std::int32_t> capacity_;
  std::vector<std::int32_t> beside_;
  std::vector<std::int32_t> room_;  // empty while it is the capacity
  std::vector<std::uint64_t> signature_;
  std::vector<std::uint64_t> children_sum_;  // of the children's mixed signatures, so that a change is O(1)
  int alone_at_ = -1;                        // see alone_at()
  bool picked_ = false;                      // see picks_nodes()
  bool labels_matter_ = false;               // to the shape or the extra
  std::vector<Judged> judged_;               // by kind
  std::uint64_t generation_ = 0;             // of the kinds in judged_
  std::vector<std::uint32_t> obstacle_of_leaf_;  // index: leaf - first leaf; into obstacle_counts_
  std::vector<ObstacleCount> obstacle_counts_;   // unsorted; grows with new kinds only
  std::uint32_t obstacle_index(Obstacle obstacle, const std::string& detail);
};

}  // namespace toposeg::engine
