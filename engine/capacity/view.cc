#include "engine/capacity/view.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace toposeg::engine {

namespace {

// SplitMix64's finaliser: spreads every bit, so that sums of mixed values stand for multisets.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

std::uint64_t pack(std::int32_t high, std::int32_t low) {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(high)) << 32U) |
         static_cast<std::uint32_t>(low);
}

}  // namespace

bool same_shape(const kube::PodSpec& a, const kube::PodSpec& b) {
  return std::tie(a.requests, a.node_selector, a.affinity, a.has_affinity, a.tolerations, a.host_ports,
                  a.anti_affinity, a.node_name) == std::tie(b.requests, b.node_selector, b.affinity,
                                                            b.has_affinity, b.tolerations, b.host_ports,
                                                            b.anti_affinity, b.node_name);
}

CapacityView::CapacityView(std::shared_ptr<const Tree> tree, const Books& books, kube::PodSpec shape,
                           std::optional<kube::PodSpec> extra)
    : tree_(std::move(tree)), shape_(std::move(shape)), extra_(std::move(extra)) {
  const std::size_t size = tree_->size();
  capacity_.assign(size, 0);
  beside_.assign(size, -1);
  signature_.assign(size, 0);
  children_sum_.assign(size, 0);
  const VertexRange leaves = tree_->at_level(tree_->levels());
  node_of_leaf_.resize(leaves.size());
  obstacle_of_leaf_.resize(leaves.size());
  for (Vertex leaf = leaves.begin; leaf < leaves.end; ++leaf) {
    const NodeId node = *books.id(tree_->name(leaf));
    node_of_leaf_[leaf - leaves.begin] = node;
    if (leaf_of_node_.size() <= node) leaf_of_node_.resize(node + 1, kRoot);
    leaf_of_node_[node] = leaf;
    judge(books, leaf, node);
    refresh_signature(leaf);
  }
  for (Vertex v = leaves.begin; v-- > 0;) sum_up(v);
}

std::uint32_t CapacityView::obstacle_index(Obstacle obstacle, const std::string& detail) {
  for (std::uint32_t i = 0; i < obstacle_counts_.size(); ++i) {
    if (obstacle_counts_[i].obstacle == obstacle && obstacle_counts_[i].detail == detail) return i;
  }
  obstacle_counts_.push_back({obstacle, detail, 0});
  return static_cast<std::uint32_t>(obstacle_counts_.size() - 1);
}

void CapacityView::judge(const Books& books, Vertex leaf, NodeId node) {
  const Verdict verdict = books.verdict(node, shape_);
  capacity_[leaf] = verdict.count;
  beside_[leaf] = extra_ ? books.capacity_beside(node, shape_, *extra_) : -1;
  const std::uint32_t index = obstacle_index(verdict.obstacle, verdict.detail);
  obstacle_of_leaf_[leaf - first_leaf()] = index;
  ++obstacle_counts_[index].nodes;
}

void CapacityView::sum_up(Vertex v) {
  const VertexRange children = tree_->children(v);
  for (Vertex child = children.begin; child < children.end; ++child) {
    capacity_[v] += capacity_[child];
    children_sum_[v] += mix(signature_[child]);
  }
  refresh_beside(v);
  refresh_signature(v);
}

void CapacityView::refresh_beside(Vertex v) {
  if (!extra_) return;
  std::int32_t best = -1;
  const VertexRange children = tree_->children(v);
  for (Vertex child = children.begin; child < children.end; ++child) {
    if (beside_[child] >= 0) best = std::max(best, capacity_[v] - (capacity_[child] - beside_[child]));
  }
  beside_[v] = best;
}

void CapacityView::refresh_signature(Vertex v) {
  const std::uint64_t own = mix(pack(capacity_[v], beside_[v]));
  signature_[v] = mix(own ^ (children_sum_[v] + static_cast<std::uint64_t>(tree_->level(v) + 1)));
}

void CapacityView::update(const Books& books, NodeId node) {
  if (node >= leaf_of_node_.size() || leaf_of_node_[node] == kRoot) return;
  const Vertex leaf = leaf_of_node_[node];
  const std::int32_t before = capacity_[leaf];
  const std::int32_t beside_before = beside_[leaf];
  --obstacle_counts_[obstacle_of_leaf_[leaf - first_leaf()]].nodes;
  judge(books, leaf, node);
  const std::int32_t change = capacity_[leaf] - before;
  if (change == 0 && beside_[leaf] == beside_before) return;
  std::uint64_t old_signature = signature_[leaf];
  refresh_signature(leaf);
  for (Vertex child = leaf; child != kRoot;) {
    const Vertex v = tree_->parent(child);
    children_sum_[v] += mix(signature_[child]) - mix(old_signature);
    old_signature = signature_[v];
    capacity_[v] += change;
    refresh_beside(v);
    refresh_signature(v);
    child = v;
  }
}

std::vector<CapacityView::ObstacleCount> CapacityView::obstacles(Vertex v) const {
  std::vector<ObstacleCount> counts = obstacle_counts_;
  if (v != kRoot) {
    for (ObstacleCount& count : counts) count.nodes = 0;
    const VertexRange leaves = tree_->under(v, tree_->levels());
    for (Vertex leaf = leaves.begin; leaf < leaves.end; ++leaf)
      ++counts[obstacle_of_leaf_[leaf - first_leaf()]].nodes;
  }
  std::erase_if(counts, [](const ObstacleCount& count) { return count.nodes == 0; });
  std::sort(counts.begin(), counts.end(), [](const ObstacleCount& a, const ObstacleCount& b) {
    return std::tie(a.obstacle, a.detail) < std::tie(b.obstacle, b.detail);
  });
  return counts;
}

}  // namespace toposeg::engine
