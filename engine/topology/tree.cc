#include "engine/topology/tree.h"

#include <algorithm>
#include <compare>

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
  return std::is_eq(order) ? *a.node < *b.node : std::is_lt(order);
}

}  // namespace

// The node's label values; the first label that it lacks, or null.
const std::string* Tree::read_path(const kube::Node& node, std::vector<const std::string*>& path) const {
  for (const std::string& label : labels_) {
    const std::string* value = kube::find(node.labels, label);
    if (value == nullptr) return &label;
    path.push_back(value);
  }
  return nullptr;
}

struct Tree::Builder {
  Tree& tree;
  std::vector<Row> rows;
  std::vector<Vertex> fanout;

  void read_rows(std::span<const kube::Node* const> nodes) {
    for (const kube::Node* node : nodes) {
      Row row{.path = {}, .node = &node->name};
      if (const std::string* missing = tree.read_path(*node, row.path); missing != nullptr) {
        tree.outside_.push_back({node->name, *missing});
      } else {
        rows.push_back(std::move(row));
      }
    }
    std::sort(rows.begin(), rows.end(), before);
    std::sort(tree.outside_.begin(), tree.outside_.end(),
              [](const Outside& a, const Outside& b) { return a.node < b.node; });
  }

  Vertex add_domain(const std::string& name) {
    tree.domains_.push_back(name);
    fanout.push_back(0);
    return static_cast<Vertex>(fanout.size() - 1);
  }

  // Rows are sorted by path, so each level is one pass in which a new domain begins where the path up to it
  // changes.
  void grow() {
    add_domain("");
    std::vector<Vertex> above(rows.size(), kRoot);  // each row's domain at the level last finished
    std::vector<Vertex> here(rows.size());
    for (std::size_t level = 0; level < tree.labels_.size(); ++level) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string& name = *rows[i].path[level];
        const bool same = i > 0 && above[i] == above[i - 1] && tree.domains_.back() == name;
        here[i] = same ? here[i - 1] : add_domain(name);
        if (!same) ++fanout[above[i]];
      }
      above.swap(here);
    }
    tree.node_of_leaf_.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ++fanout[above[i]];
      tree.node_of_leaf_.push_back(*tree.names_->find(*rows[i].node));
    }
  }
};

std::shared_ptr<const Tree> Tree::build(const kube::Topology& topology,
                                        std::span<const kube::Node* const> nodes,
                                        std::shared_ptr<const NodeNames> names) {
  std::shared_ptr<Tree> tree(new Tree());
  tree->topology_ = topology.name;
  tree->names_ = std::move(names);
  for (const kube::TopologyLevel& level : topology.levels) tree->labels_.push_back(level.node_label);
  Builder builder{*tree, {}, {}};
  builder.read_rows(nodes);
  builder.grow();
  tree->number(builder.fanout);
  return tree;
}

// Children follow their parents' order, so each vertex' children begin where those of the one before it end.
void Tree::number(std::span<const Vertex> fanout) {
  const std::size_t size = fanout.size() + node_of_leaf_.size();
  level_.resize(size);
  parent_.resize(size);
  children_.resize(size);
  level_[kRoot] = -1;
  parent_[kRoot] = kRoot;
  ranges_.assign(1, {0, 1});
  Vertex next = 1;
  for (int level = 0; level <= levels(); ++level) {
    const VertexRange above = ranges_.back();
    for (Vertex v = above.begin; v < above.end; ++v) {
      children_[v] = {next, next + fanout[v]};
      for (; next < children_[v].end; ++next) {
        parent_[next] = v;
        level_[next] = static_cast<std::int16_t>(level);
      }
    }
    ranges_.push_back({above.end, next});
  }
  leaf_of_node_.assign(names_->size(), kRoot);
  for (Vertex leaf = first_leaf(); leaf < size; ++leaf) {
    children_[leaf] = {leaf, leaf};
    leaf_of_node_[node(leaf)] = leaf;
  }
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

Vertex Tree::closest_domain(std::span<const Vertex> vertices) const {
  if (vertices.empty()) return kRoot;
  Vertex common = ancestor(vertices.front(), levels() - 1);
  for (const Vertex v : vertices) {
    while (ancestor(v, level(common)) != common) common = parent(common);
  }
  return common;
}

std::vector<std::string> Tree::path(Vertex v) const {
  std::vector<std::string> path;
  for (; v != kRoot; v = parent_[v]) path.push_back(name(v));
  std::reverse(path.begin(), path.end());
  return path;
}

// The first child that is not before the name; the end of the children when all are.
Vertex Tree::place_of(Vertex parent, const std::string& name) const {
  VertexRange range = children_[parent];
  while (range.size() > 0) {
    const Vertex middle = range.begin + range.size() / 2;
    if (this->name(middle) < name) {
      range.begin = middle + 1;
    } else {
      range.end = middle;
    }
  }
  return range.begin;
}

std::optional<Vertex> Tree::find(std::span<const std::string> path) const {
  if (path.size() > static_cast<std::size_t>(levels()) + 1) return std::nullopt;
  Vertex v = kRoot;
  for (const std::string& name : path) {
    const Vertex child = place_of(v, name);
    if (child == children_[v].end || this->name(child) != name) return std::nullopt;
    v = child;
  }
  return v;
}

std::optional<Vertex> Tree::leaf(std::string_view node) const {
  const NodeId* id = names_->find(node);
  return id == nullptr ? std::nullopt : leaf(*id);
}

std::optional<int> Tree::level_of_label(std::string_view label) const {
  const auto it = std::find(labels_.begin(), labels_.end(), label);
  if (it == labels_.end()) return std::nullopt;
  return static_cast<int>(it - labels_.begin());
}

std::size_t Tree::bytes() const {
  return level_.capacity() * sizeof(level_[0]) + parent_.capacity() * sizeof(parent_[0]) +
         children_.capacity() * sizeof(children_[0]) + domains_.capacity() * sizeof(std::string) +
         node_of_leaf_.capacity() * sizeof(node_of_leaf_[0]) +
         leaf_of_node_.capacity() * sizeof(leaf_of_node_[0]);
}

}  // namespace toposeg::engine
