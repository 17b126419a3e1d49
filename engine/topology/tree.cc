#include "engine/topology/tree.h"

#include <algorithm>

namespace toposeg::engine {

namespace {

// A node's place: its label values from the top level down, then its name.
struct Row {
  std::vector<const std::string*> path;
  const std::string* node = nullptr;
};

bool before(const Row& a, const Row& b) {
  const auto order = std::lexicographical_compare_three_way(
      a.path.begin(), a.path.end(), b.path.begin(), b.path.end(),
      [](const std::string* x, const std::string* y) { return x->compare(*y) <=> 0; });
  return order != 0 ? order < 0 : *a.node < *b.node;
}

}  // namespace

struct Tree::Builder {
  Tree& tree;
  std::vector<Row> rows;

  void read_rows(std::span<const kube::Node* const> nodes) {
    for (const kube::Node* node : nodes) {
      Row row{.path = {}, .node = &node->name};
      for (const std::string& label : tree.labels_) {
        const std::string* value = kube::find(node->labels, label);
        if (value == nullptr) {
          tree.outside_.push_back({node->name, label});
          break;
        }
        row.path.push_back(value);
      }
      if (row.path.size() == tree.labels_.size()) rows.push_back(std::move(row));
    }
    std::sort(rows.begin(), rows.end(), before);
    std::sort(tree.outside_.begin(), tree.outside_.end(),
              [](const Outside& a, const Outside& b) { return a.node < b.node; });
  }

  Vertex add(int level, Vertex parent, const std::string& name) {
    const auto v = static_cast<Vertex>(tree.parent_.size());
    tree.level_.push_back(static_cast<std::int16_t>(level));
    tree.parent_.push_back(parent);
    tree.children_.push_back({0, 0});
    tree.names_.push_back(name);
    if (v != parent) {
      VertexRange& siblings = tree.children_[parent];
      if (siblings.size() == 0) siblings = {v, v};
      siblings.end = v + 1;
    }
    return v;
  }

  // Rows are sorted by path, so each level is one pass in which a new domain begins where the path up to it
  // changes.
  void grow() {
    add(-1, kRoot, "");
    tree.ranges_.push_back({0, 1});
    std::vector<Vertex> above(rows.size(), kRoot);  // each row's domain at the level last finished
    for (int level = 0; level <= tree.levels(); ++level) {
      const auto begin = static_cast<Vertex>(tree.parent_.size());
      std::vector<Vertex> here(rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool leaf = level == tree.levels();
        const std::string& name = leaf ? *rows[i].node : *rows[i].path[static_cast<std::size_t>(level)];
        const bool same = !leaf && i > 0 && above[i] == above[i - 1] && tree.names_.back() == name;
        here[i] = same ? here[i - 1] : add(level, above[i], name);
        if (leaf) tree.leaves_.emplace(name, here[i]);
      }
      tree.ranges_.push_back({begin, static_cast<Vertex>(tree.parent_.size())});
      above = std::move(here);
    }
  }

  void draw() {
    std::vector<std::pair<Vertex, Vertex>> edges;
    edges.reserve(tree.parent_.size());
    for (Vertex v = 0; v < tree.parent_.size(); ++v) {
      for (Vertex child = tree.children_[v].begin; child < tree.children_[v].end; ++child)
        edges.emplace_back(v, child);
    }
    tree.graph_ = Graph(boost::edges_are_sorted, edges.begin(), edges.end(), tree.parent_.size());
  }
};

std::shared_ptr<const Tree> Tree::build(const kube::Topology& topology,
                                        std::span<const kube::Node* const> nodes) {
  std::shared_ptr<Tree> tree(new Tree());
  tree->topology_ = topology.name;
  for (const kube::TopologyLevel& level : topology.levels) tree->labels_.push_back(level.node_label);
  Builder builder{*tree, {}};
  builder.read_rows(nodes);
  builder.grow();
  builder.draw();
  return tree;
}

VertexRange Tree::under(Vertex v, int level) const {
  VertexRange range{v, v + 1};
  for (int l = this->level(v); l < level && range.size() > 0; ++l) {
    range = {children_[range.begin].begin, children_[range.end - 1].end};
  }
  return range;
}

Vertex Tree::ancestor(Vertex v, int level) const {
  while (level_[v] > level) v = parent_[v];
  return v;
}

std::vector<std::string> Tree::path(Vertex v) const {
  std::vector<std::string> path;
  for (; v != kRoot; v = parent_[v]) path.push_back(names_[v]);
  std::reverse(path.begin(), path.end());
  return path;
}

std::optional<Vertex> Tree::find(std::span<const std::string> path) const {
  if (path.size() > static_cast<std::size_t>(levels()) + 1) return std::nullopt;
  Vertex v = kRoot;
  for (const std::string& name : path) {
    const auto first = names_.begin() + children_[v].begin;
    const auto last = names_.begin() + children_[v].end;
    const auto it = std::lower_bound(first, last, name);
    if (it == last || *it != name) return std::nullopt;
    v = static_cast<Vertex>(it - names_.begin());
  }
  return v;
}

std::optional<Vertex> Tree::leaf(std::string_view node) const {
  const auto it = leaves_.find(std::string(node));
  if (it == leaves_.end()) return std::nullopt;
  return it->second;
}

std::optional<int> Tree::level_of_label(std::string_view label) const {
  const auto it = std::find(labels_.begin(), labels_.end(), label);
  if (it == labels_.end()) return std::nullopt;
  return static_cast<int>(it - labels_.begin());
}

}  // namespace toposeg::engine
