// A tree with one node more or less. A tree is determined by its domains' names, how many children each has,
// and its leaves, all in order; so an edit inserts or removes the few that change and numbers the vertices
// anew.
#include <algorithm>
#include <utility>

#include "engine/topology/tree.h"

namespace toposeg::engine {

namespace {

template <typename List, typename Value>
void insert_at(List& list, std::size_t at, Value value) {
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), std::move(value));
}

// Where in a list sorted by name the node stands or belongs.
std::vector<Outside>::const_iterator place_outside(const std::vector<Outside>& outside,
                                                   const std::string& node) {
  return std::lower_bound(outside.begin(), outside.end(), node,
                          [](const Outside& o, const std::string& name) { return o.node < name; });
}

template <typename List>
void erase_at(List& list, std::size_t at) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace

struct Tree::Editor {
  const Tree& old;
  std::shared_ptr<Tree> tree{new Tree()};
  std::vector<Vertex> fanout;

  explicit Editor(const Tree& from) : old(from) {
    tree->topology_ = old.topology_;
    tree->labels_ = old.labels_;
    tree->names_ = old.names_;
    tree->outside_ = old.outside_;
    tree->domains_ = old.domains_;
    tree->node_of_leaf_ = old.node_of_leaf_;
    fanout.reserve(old.first_leaf());
    for (Vertex v = 0; v < old.first_leaf(); ++v) fanout.push_back(old.children(v).size());
  }

  // Where the children of a vertex that would come before v begin.
  [[nodiscard]] Vertex below(Vertex v, int level) const {
    return v < old.at_level(level).end ? old.children(v).begin : old.at_level(level + 1).end;
  }

  // Follows the path as far as its domains exist; from there on each level gets a vertex. The i-th new vertex
  // comes before old vertex p and so gets the number p + i.
  void add(const std::vector<const std::string*>& path, NodeId node, TreeChange& change) {
    Vertex parent = kRoot;
    int level = 0;
    for (; level < old.levels(); ++level) {
      const std::string& name = *path[static_cast<std::size_t>(level)];
      const Vertex child = old.place_of(parent, name);
      if (child == old.children(parent).end || old.name(child) != name) break;
      parent = child;
    }
    ++fanout[parent];
    Vertex place = old.place_of(
        parent, level < old.levels() ? *path[static_cast<std::size_t>(level)] : tree->names_->name(node));
    for (; level < old.levels(); ++level) {
      const auto at = place + static_cast<Vertex>(change.at.size());
      insert_at(tree->domains_, at, *path[static_cast<std::size_t>(level)]);
      insert_at(fanout, at, Vertex{1});
      change.at.push_back(at);
      place = below(place, level);
    }
    insert_at(tree->node_of_leaf_, place - old.first_leaf(), node);
    change.at.push_back(place + static_cast<Vertex>(change.at.size()));
  }

  // The leaf goes, and with it every domain that is empty then.
  void take(Vertex leaf, TreeChange& change) {
    erase_at(tree->node_of_leaf_, leaf - old.first_leaf());
    change.at.push_back(leaf);
    Vertex parent = old.parent(leaf);
    for (; parent != kRoot && fanout[parent] == 1; parent = old.parent(parent)) {
      erase_at(tree->domains_, parent);
      erase_at(fanout, parent);
      change.at.push_back(parent);
    }
    --fanout[parent];
    std::reverse(change.at.begin(), change.at.end());
  }

  [[nodiscard]] std::shared_ptr<const Tree> finish() {
    tree->number(fanout);
    return std::move(tree);
  }
};

std::shared_ptr<const Tree> Tree::with(const kube::Node& node, TreeChange& change) const {
  change = {.added = true, .at = {}};
  Editor editor(*this);
  std::vector<const std::string*> path;
  if (const std::string* missing = read_path(node, path); missing == nullptr) {
    editor.add(path, *names_->find(node.name), change);
  } else {
    std::vector<Outside>& outside = editor.tree->outside_;
    outside.insert(place_outside(outside, node.name), {node.name, *missing});
  }
  return editor.finish();
}

std::shared_ptr<const Tree> Tree::without(NodeId node, TreeChange& change) const {
  change = {.added = false, .at = {}};
  const std::optional<Vertex> leaf = this->leaf(node);
  const auto out = place_outside(outside_, names_->name(node));
  if (!leaf && (out == outside_.end() || out->node != names_->name(node))) return nullptr;
  Editor editor(*this);
  if (leaf) {
    editor.take(*leaf, change);
  } else {
    erase_at(editor.tree->outside_, static_cast<std::size_t>(out - outside_.begin()));
  }
  return editor.finish();
}

}  // namespace toposeg::engine
