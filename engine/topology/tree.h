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

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/base/error.h"
#include "common/kube/records.h"

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

class Tree {
 public:
  using Graph = boost::compressed_sparse_row_graph<boost::directedS>;

  // Nodes may come in any order; two nodes of one name are a programmer's error. O(n log n).
  static std::shared_ptr<const Tree> build(const kube::Topology& topology,
                                           std::span<const kube::Node* const> nodes);

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

  [[nodiscard]] const std::string& name(Vertex v) const {
    return names_[v];
  }  // label value; node name for leaves
  [[nodiscard]] std::vector<std::string> path(Vertex v) const;  // top level first; empty for the root
  [[nodiscard]] std::optional<Vertex> find(std::span<const std::string> path) const;  // O(depth log width)
  [[nodiscard]] std::optional<Vertex> leaf(std::string_view node) const;              // O(1)
  [[nodiscard]] std::optional<int> level_of_label(std::string_view label) const;

  [[nodiscard]] const std::vector<Outside>& outside() const { return outside_; }
  [[nodiscard]] const Graph& graph() const { return graph_; }

 private:
  Tree() = default;
  struct Builder;

  std::string topology_;
  std::vector<std::string> labels_;
  std::vector<std::int16_t> level_;
  std::vector<Vertex> parent_;
  std::vector<VertexRange> children_;
  std::vector<VertexRange> ranges_;  // index = level + 1
  std::vector<std::string> names_;
  std::unordered_map<std::string, Vertex> leaves_;
  std::vector<Outside> outside_;
  Graph graph_;
};

// Text of a vertex for a picture; empty = leave the vertex (and what is under it) out.
using VertexLabel = std::function<std::string(Vertex)>;

// The tree in Graphviz' language (Boost.Graph writes it), deterministic.
void write_dot(std::ostream& out, const Tree& tree, const VertexLabel& label);

}  // namespace toposeg::engine
