// The tree of domains of one topology over one set of nodes: immutable, shared by everything that was decided
// on it.
//
// Vertices are numbered level by level, inside a level in path order (bytewise on label values). So the
// vertices of one level are one contiguous range, and so are, at each level, the descendants of any domain.
// Level 0 is the broadest level of the topology, level levels()-1 the closest; below it, at level levels(),
// stand the nodes themselves. The virtual root is vertex 0 at level -1: "anywhere in the topology".
//
// A domain's identity is its whole path: `rack-1` under two blocks is two vertices.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/kube/records.h"
#include "engine/topology/node_names.h"

namespace toposeg::engine {

using Vertex = std::uint32_t;
inline constexpr Vertex kRoot = 0;

// Half-open range of vertices.
struct VertexRange {
  Vertex begin = 0;
  Vertex end = 0;
  [[nodiscard]] Vertex size() const { return end - begin; }
  [[nodiscard]] bool contains(Vertex v) const { return v >= begin && v < end; }
  friend bool operator==(const VertexRange&, const VertexRange&) = default;
};

// A node that lacks a label of the topology and so stands in no domain.
struct Outside {
  std::string node;
  std::string missing_label;
};

// What one node's coming or going did to the numbers: the vertices that are new (numbered as in the new tree)
// or gone (numbered as in the old one), ascending, so broad to close. Empty when the node stands outside.
struct TreeChange {
  bool added = false;
  std::vector<Vertex> at;
};

class Tree {
 public:
  // Nodes may come in any order; each name must be interned in `names` and occur once. O(n log n).
  static std::shared_ptr<const Tree> build(const kube::Topology& topology,
                                           std::span<const kube::Node* const> nodes,
                                           std::shared_ptr<const NodeNames> names);

  // The same tree with one node more (it must not be in this one, neither inside nor outside) or less (null
  // when it is neither). Equal to what build() gives for the changed nodes. O(n), about a hundred times less
  // than build(): no name is looked at but those on the node's path.
  [[nodiscard]] std::shared_ptr<const Tree> with(const kube::Node& node, TreeChange& change) const;
  [[nodiscard]] std::shared_ptr<const Tree> without(NodeId node, TreeChange& change) const;

  [[nodiscard]] const std::string& topology() const { return topology_; }
  [[nodiscard]] const std::vector<std::string>& level_labels() const { return labels_; }
  [[nodiscard]] int levels() const { return static_cast<int>(labels_.size()); }
  [[nodiscard]] std::size_t size() const { return parent_.size(); }
  [[nodiscard]] std::size_t node_count() const { return at_level(levels()).size(); }

  [[nodiscard]] int level(Vertex v) const { return level_[v]; }
  [[nodiscard]] Vertex parent(Vertex v) const { return parent_[v]; }  // the root is its own parent
  [[nodiscard]] VertexRange children(Vertex v) const { return children_[v]; }
  [[nodiscard]] VertexRange at_level(int level) const { return ranges_[static_cast<std::size_t>(level) + 1]; }
  // Descendants of v at a level at or below its own. O(depth).
  [[nodiscard]] VertexRange under(Vertex v, int level) const;
  // Ancestor of v (or v itself) at a level at or above its own. O(depth).
  [[nodiscard]] Vertex ancestor(Vertex v, int level) const;
  // The closest domain (no node) that holds all of these; the root for none. O(vertices * depth).
  [[nodiscard]] Vertex closest_domain(std::span<const Vertex> vertices) const;

  // Label value; for leaves the node's name.
  [[nodiscard]] const std::string& name(Vertex v) const {
    return v < first_leaf() ? domains_[v] : names_->name(node(v));
  }
  [[nodiscard]] std::vector<std::string> path(Vertex v) const;  // top level first; empty for the root
  [[nodiscard]] std::optional<Vertex> find(std::span<const std::string> path) const;  // O(depth log width)
  [[nodiscard]] std::optional<Vertex> leaf(std::string_view node) const;              // O(1)
  [[nodiscard]] std::optional<Vertex> leaf(NodeId node) const {
    if (node >= leaf_of_node_.size() || leaf_of_node_[node] == kRoot) return std::nullopt;
    return leaf_of_node_[node];
  }
  [[nodiscard]] NodeId node(Vertex leaf) const { return node_of_leaf_[leaf - first_leaf()]; }
  [[nodiscard]] Vertex first_leaf() const { return ranges_.back().begin; }
  [[nodiscard]] std::optional<int> level_of_label(std::string_view label) const;

  [[nodiscard]] const std::shared_ptr<const NodeNames>& names() const { return names_; }
  [[nodiscard]] const std::vector<Outside>& outside() const { return outside_; }  // by node name
  // Of what grows with the nodes, without their names.
  [[nodiscard]] std::size_t bytes() const;

 private:
  Tree() = default;
  struct Builder;  // tree.cc
  struct Editor;   // tree_edit.cc

  const std::string* read_path(const kube::Node& node, std::vector<const std::string*>& path) const;
  [[nodiscard]] Vertex place_of(Vertex parent, const std::string& name) const;
  // From domains_, node_of_leaf_ and the number of children of each domain to the rest.
  void number(std::span<const Vertex> fanout);

  std::string topology_;
  std::vector<std::string> labels_;
  std::vector<std::int16_t> level_;
  std::vector<Vertex> parent_;
  std::vector<VertexRange> children_;
  std::vector<VertexRange> ranges_;   // index = level + 1
  std::vector<std::string> domains_;  // names of the vertices above the leaves
  std::vector<NodeId> node_of_leaf_;  // index: leaf - first_leaf()
  std::vector<Vertex> leaf_of_node_;  // kRoot = not in the tree; may end before the last id
  std::shared_ptr<const NodeNames> names_;
  std::vector<Outside> outside_;
};

// Text of a vertex for a picture; empty = leave the vertex (and what is under it) out.
using VertexLabel = std::function<std::string(Vertex)>;

// The tree in Graphviz' language (Boost.Graph writes it), deterministic.
void write_dot(std::ostream& out, const Tree& tree, const VertexLabel& label);

}  // namespace toposeg::engine
