// The tree as a Boost.Graph graph, without a copy: a model of VertexListGraph, EdgeListGraph and
// IncidenceGraph whose vertices are the tree's and whose edges lead from a domain to each of its children. An
// edge is named by its child. Everything of Boost.Graph that asks for no more (traversals, filters, Graphviz)
// takes a Tree.
#pragma once

#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/property_map/property_map.hpp>
#include <cstddef>
#include <utility>

#include "engine/topology/tree.h"

namespace boost {

template <>
struct graph_traits<toposeg::engine::Tree> {
  using vertex_descriptor = toposeg::engine::Vertex;
  using edge_descriptor = toposeg::engine::Vertex;  // the child
  using directed_category = directed_tag;
  using edge_parallel_category = disallow_parallel_edge_tag;
  struct traversal_category : vertex_list_graph_tag, edge_list_graph_tag, incidence_graph_tag {};
  using vertex_iterator = counting_iterator<vertex_descriptor>;
  using edge_iterator = counting_iterator<edge_descriptor>;
  using out_edge_iterator = counting_iterator<edge_descriptor>;
  using adjacency_iterator = counting_iterator<vertex_descriptor>;
  using in_edge_iterator = void;  // filters ask for the names of both
  using vertices_size_type = std::size_t;
  using edges_size_type = std::size_t;
  using degree_size_type = std::size_t;
  static vertex_descriptor null_vertex() { return static_cast<vertex_descriptor>(-1); }
};

template <>
struct property_map<toposeg::engine::Tree, vertex_index_t> {
  using type = identity_property_map;
  using const_type = identity_property_map;
};

}  // namespace boost

namespace toposeg::engine {

// The names and signatures are those that Boost.Graph looks for.
using TreeTraits = boost::graph_traits<Tree>;

inline std::size_t num_vertices(const Tree& tree) { return tree.size(); }
inline std::size_t num_edges(const Tree& tree) { return tree.size() - 1; }
inline std::pair<TreeTraits::vertex_iterator, TreeTraits::vertex_iterator> vertices(const Tree& tree) {
  return {TreeTraits::vertex_iterator(kRoot), TreeTraits::vertex_iterator(static_cast<Vertex>(tree.size()))};
}
inline std::pair<TreeTraits::edge_iterator, TreeTraits::edge_iterator> edges(const Tree& tree) {
  return {TreeTraits::edge_iterator(kRoot + 1), TreeTraits::edge_iterator(static_cast<Vertex>(tree.size()))};
}
inline std::pair<TreeTraits::out_edge_iterator, TreeTraits::out_edge_iterator> out_edges(Vertex v,
                                                                                         const Tree& tree) {
  const VertexRange children = tree.children(v);
  return {TreeTraits::out_edge_iterator(children.begin), TreeTraits::out_edge_iterator(children.end)};
}
inline std::size_t out_degree(Vertex v, const Tree& tree) { return tree.children(v).size(); }
inline Vertex source(Vertex edge, const Tree& tree) { return tree.parent(edge); }
inline Vertex target(Vertex edge, const Tree& /*tree*/) { return edge; }
inline boost::identity_property_map get(boost::vertex_index_t /*tag*/, const Tree& /*tree*/) { return {}; }
inline Vertex get(boost::vertex_index_t /*tag*/, const Tree& /*tree*/, Vertex v) { return v; }

}  // namespace toposeg::engine
