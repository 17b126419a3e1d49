// Graphviz output by Boost.Graph: only the vertices that have a label are drawn, so a picture can stop at any
// level.
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/graphviz.hpp>
#include <ostream>
#include <vector>

#include "engine/topology/graph.h"

namespace toposeg::engine {

namespace {

struct Drawn {
  const std::vector<std::string>* texts = nullptr;
  template <typename Descriptor>
  bool operator()(Descriptor v) const {
    return !(*texts)[v].empty();
  }
};

struct VertexWriter {
  const std::vector<std::string>* texts;
  template <typename Descriptor>
  void operator()(std::ostream& out, Descriptor v) const {
    out << "[label=" << boost::escape_dot_string((*texts)[v]) << ']';
  }
};

struct GraphWriter {
  void operator()(std::ostream& out) const { out << "rankdir=LR;\nnode [shape=box];\n"; }
};

struct NoEdgeText {
  template <typename Edge>
  void operator()(std::ostream&, const Edge&) const {}
};

}  // namespace

void write_dot(std::ostream& out, const Tree& tree, const VertexLabel& label) {
  std::vector<std::string> texts(tree.size());
  for (Vertex v = 0; v < tree.size(); ++v) {
    const bool reachable = v == kRoot || !texts[tree.parent(v)].empty();
    if (reachable) texts[v] = label(v);
  }
  const boost::filtered_graph<Tree, boost::keep_all, Drawn> drawn(tree, {}, Drawn{&texts});
  boost::write_graphviz(out, drawn, VertexWriter{&texts}, NoEdgeText{}, GraphWriter{});
}

}  // namespace toposeg::engine
