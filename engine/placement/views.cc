#include "engine/placement/views.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace toposeg::engine {

namespace {

// Whether the node stands elsewhere in the topology than before.
bool moved(const kube::Topology& topology, const kube::Node& before, const kube::Node& after) {
  return std::any_of(topology.levels.begin(), topology.levels.end(), [&](const kube::TopologyLevel& level) {
    const std::string* was = kube::find(before.labels, level.node_label);
    const std::string* is = kube::find(after.labels, level.node_label);
    if (was == nullptr || is == nullptr) return was != is;
    return *was != *is;
  });
}

bool same_extra(const std::optional<kube::PodSpec>& a, const std::optional<kube::PodSpec>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return same_shape(*a, *b);
}

}  // namespace

void Views::forget(std::string_view topology) {
  const auto it = trees_.find(topology);
  if (it == trees_.end()) return;
  live_.remove_if([&](const auto& view) { return view->shared_tree() == it->second; });
  trees_.erase(it);
  pending_.erase(std::string(topology));
}

void Views::upsert(kube::Topology topology) {
  const TopologyKey key{topology.name, topology.api_group};
  known_.insert_or_assign(key, std::move(topology));
  settle(key.first);
}

void Views::remove(std::string_view name, std::string_view api_group) {
  const TopologyKey key{name, api_group};
  known_.erase(key);
  settle(key.first);
}

void Views::replace(const std::vector<kube::Topology>& topologies) {
  std::set<std::string> names;
  for (const auto& [key, topology] : known_) names.insert(key.first);
  known_.clear();
  for (const kube::Topology& topology : topologies) {
    names.insert(topology.name);
    known_.insert_or_assign({topology.name, topology.api_group}, topology);
  }
  for (const std::string& name : names) settle(name);
}

// Lets the first known topology of the name count.
void Views::settle(const std::string& name) {
  const auto first = known_.lower_bound({name, {}});
  const bool exists = first != known_.end() && first->first.first == name;
  const kube::Topology* counted = topology(name);
  if (exists && counted != nullptr && *counted == first->second) return;
  forget(name);
  if (exists) {
    topologies_.insert_or_assign(name, first->second);
  } else {
    topologies_.erase(name);
  }
}

void Views::node_changed(const kube::Node* before, const kube::Node* after) {
  const kube::Node* node = before != nullptr ? before : after;
  if (node == nullptr) return;
  if (before == nullptr || after == nullptr || *before != *after) empty_.clear();
  for (const auto& [name, topology] : topologies_) {
    if (before != nullptr && after != nullptr && !moved(topology, *before, *after)) continue;
    if (!trees_.contains(name)) continue;
    std::vector<std::string>& pending = pending_[name];
    pending.push_back(node->name);
    if (pending.size() > kMostEdits) forget(name);
  }
}

const kube::Topology* Views::topology(std::string_view name) const {
  const auto it = topologies_.find(name);
  return it == topologies_.end() ? nullptr : &it->second;
}

std::shared_ptr<const Tree> Views::tree(std::string_view topology) {
  const kube::Topology* known = this->topology(topology);
  if (known == nullptr) return nullptr;
  std::shared_ptr<const Tree>& tree = trees_[known->name];
  if (tree == nullptr) {
    tree = Tree::build(*known, books_.nodes(), books_.names());
    return tree;
  }
  const auto pending = pending_.find(topology);
  if (pending == pending_.end()) return tree;
  for (const std::string& node : pending->second) edit(tree, node);
  pending_.erase(pending);
  return tree;
}

// Takes the node out of the tree and, if it exists, in again where it stands now; the tree's views follow.
void Views::edit(std::shared_ptr<const Tree>& tree, const std::string& name) {
  const auto replace = [&](std::shared_ptr<const Tree> next, const TreeChange& change) {
    for (const auto& view : live_) {
      if (view->shared_tree() == tree) view->follow(next, change, books_);
    }
    tree = std::move(next);
  };
  const NodeId* id = books_.id(name);
  if (id == nullptr) return;
  TreeChange change;
  if (std::shared_ptr<const Tree> without = tree->without(*id, change); without != nullptr)
    replace(std::move(without), change);
  if (const kube::Node* node = books_.node(name); node != nullptr) replace(tree->with(*node, change), change);
}

std::shared_ptr<const CapacityView> Views::view(const std::shared_ptr<const Tree>& tree,
                                                const kube::PodSpec& shape,
                                                const std::optional<kube::PodSpec>& extra) {
  for (const NodeId node : books_.take_dirty()) {
    for (const auto& view : live_) view->update(books_, node);
  }
  const auto it = std::find_if(live_.begin(), live_.end(), [&](const auto& view) {
    return view->shared_tree() == tree && same_shape(view->shape(), shape) &&
           same_extra(view->extra(), extra);
  });
  if (it != live_.end()) {
    live_.splice(live_.begin(), live_, it);
    return live_.front();
  }
  live_.push_front(std::make_shared<CapacityView>(tree, books_, shape, extra));
  ++built_;
  if (live_.size() > kMostLive) live_.pop_back();
  return live_.front();
}

std::shared_ptr<const std::vector<std::int64_t>> Views::when_empty(const std::shared_ptr<const Tree>& tree,
                                                                   const kube::PodSpec& shape) {
  const auto it = std::find_if(empty_.begin(), empty_.end(), [&](const EmptyRooms& known) {
    return known.tree == tree && same_shape(known.shape, shape);
  });
  if (it != empty_.end()) {
    empty_.splice(empty_.begin(), empty_, it);
    return it->rooms;
  }
  std::vector<std::int64_t> rooms(tree->size(), 0);
  for (Vertex leaf = tree->first_leaf(); leaf < tree->size(); ++leaf) {
    rooms[leaf] = books_.capacity_when_empty(tree->node(leaf), shape);
  }
  for (Vertex v = tree->first_leaf(); v-- > 0;) {
    const VertexRange children = tree->children(v);
    for (Vertex child = children.begin; child < children.end; ++child) rooms[v] += rooms[child];
  }
  empty_.push_front({tree, shape, std::make_shared<const std::vector<std::int64_t>>(std::move(rooms))});
  if (empty_.size() > kMostLive) empty_.pop_back();
  return empty_.front().rooms;
}

}  // namespace toposeg::engine
