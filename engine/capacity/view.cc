#include "engine/capacity/view.h"

#include <algorithm>
#include <cassert>
#include <ranges>
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

bool looks_at_labels(const kube::PodSpec& spec) { return !spec.node_selector.empty() || spec.has_affinity; }

}  // namespace

bool same_shape(const kube::PodSpec& a, const kube::PodSpec& b) {
  return std::tie(a.requests, a.node_selector, a.affinity, a.has_affinity, a.tolerations, a.host_ports,
                  a.anti_affinity, a.node_name) == std::tie(b.requests, b.node_selector, b.affinity,
                                                            b.has_affinity, b.tolerations, b.host_ports,
                                                            b.anti_affinity, b.node_name);
}

CapacityView::CapacityView(std::shared_ptr<const Tree> tree, const Books& books, kube::PodSpec shape,
                           std::optional<kube::PodSpec> extra)
    : tree_(std::move(tree)),
      shape_(std::move(shape)),
      extra_(std::move(extra)),
      labels_matter_(looks_at_labels(shape_) || (extra_ && looks_at_labels(*extra_))) {
  assert(tree_->names() == books.names() && "the tree and the books must number nodes alike");
  count(books);
}

int repel_level(const Tree& tree, const kube::PodSpec& shape) {
  const std::vector<std::string>& keys = shape.anti_affinity;
  const std::vector<std::string>& labels = tree.level_labels();
  const auto apart = std::ranges::find_if(
      labels, [&](const std::string& label) { return std::ranges::find(keys, label) != keys.end(); });
  return apart == labels.end() ? -1 : static_cast<int>(apart - labels.begin());
}

bool any_repel(const Tree& tree, std::span<const kube::PodSpec> shapes) {
  return std::ranges::any_of(shapes,
                             [&](const kube::PodSpec& shape) { return repel_level(tree, shape) >= 0; });
}

void CapacityView::count(const Books& books) {
  const std::size_t size = tree_->size();
  alone_at_ = repel_level(*tree_, shape_);
  picked_ = false;
  capacity_.assign(size, 0);
  beside_.assign(size, -1);
  signature_.assign(size, 0);
  children_sum_.assign(size, 0);
  for (ObstacleCount& count : obstacle_counts_) count.nodes = 0;
  const VertexRange leaves = tree_->at_level(tree_->levels());
  obstacle_of_leaf_.resize(leaves.size());
  for (Vertex leaf = leaves.begin; leaf < leaves.end; ++leaf) judge(books, leaf, tree_->node(leaf));
  if (alone_at_ >= 0) keep_apart();
  for (Vertex leaf = leaves.begin; leaf < leaves.end; ++leaf) refresh_signature(leaf);
  for (Vertex v = leaves.begin; v-- > 0;) sum_up(v);
}

// The pods repel each other on a level: of each of its domains one node takes one, and sums stay sums. Where
// several can, it is the first, or the first that takes the extra pod as well. An extra pod of the same shape
// is one of those that repel each other: it takes the place.
void CapacityView::keep_apart() {
  const bool extra_is_like = extra_ && same_shape(shape_, *extra_);
  const VertexRange domains = tree_->at_level(alone_at_);
  for (Vertex v = domains.begin; v < domains.end; ++v) {
    const VertexRange leaves = tree_->under(v, tree_->levels());
    Vertex pick = leaves.end;
    int able = 0;
    for (Vertex leaf = leaves.begin; leaf < leaves.end; ++leaf) {
      if (capacity_[leaf] <= 0) continue;
      ++able;
      if (pick == leaves.end || (beside_[pick] < 1 && beside_[leaf] >= 1)) pick = leaf;
    }
    picked_ = picked_ || able > 1;
    for (Vertex leaf = leaves.begin; leaf < leaves.end; ++leaf) {
      const std::int32_t most = leaf == pick ? 1 : 0;
      capacity_[leaf] = std::min(capacity_[leaf], most);
      beside_[leaf] = std::min(beside_[leaf], extra_is_like ? most - 1 : most);
    }
  }
}

std::uint32_t CapacityView::obstacle_index(Obstacle obstacle, const std::string& detail) {
  for (std::uint32_t i = 0; i < obstacle_counts_.size(); ++i) {
    if (obstacle_counts_[i].obstacle == obstacle && obstacle_counts_[i].detail == detail) return i;
  }
  obstacle_counts_.push_back({obstacle, detail, 0});
  return static_cast<std::uint32_t>(obstacle_counts_.size() - 1);
}

const CapacityView::Judged& CapacityView::judged(const Books& books, NodeId node) {
  const NodeKinds::Kind kind = books.kind(node);
  if (generation_ != books.kinds().generation()) {
    judged_.clear();
    generation_ = books.kinds().generation();
  }
  if (judged_.size() <= kind) judged_.resize(books.kinds().size());
  Judged& known = judged_[kind];
  if (known.count >= 0) return known;
  const Verdict verdict = books.verdict_of_kind(node, shape_);
  known.count = verdict.count;
  known.beside = extra_ ? books.beside_of_kind(node, shape_, *extra_) : -1;
  known.obstacle = obstacle_index(verdict.obstacle, verdict.detail);
  known.final = verdict.obstacle != Obstacle::kNone && verdict.obstacle < Obstacle::kNodeSelector;
  return known;
}

void CapacityView::judge(const Books& books, Vertex leaf, NodeId node) {
  const Judged& known = judged(books, node);
  std::int32_t count = known.count;
  std::int32_t beside = known.beside;
  std::uint32_t obstacle = known.obstacle;
  if (labels_matter_) {
    const Obstacle labels = books.verdict_of_labels(node, shape_);
    if (labels != Obstacle::kNone) {
      count = 0;
      beside = std::min(beside, 0);
      if (!known.final) obstacle = obstacle_index(labels, {});
    }
    if (extra_ && books.verdict_of_labels(node, *extra_) != Obstacle::kNone) beside = -1;
  }
  capacity_[leaf] = count;
  beside_[leaf] = beside;
  obstacle_of_leaf_[leaf - tree_->first_leaf()] = obstacle;
  ++obstacle_counts_[obstacle].nodes;
}

void CapacityView::sum_up(Vertex v) {
  capacity_[v] = 0;
  children_sum_[v] = 0;
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
  std::uint64_t own = mix(pack(capacity_[v], beside_[v]));
  if (limited() && room_[v] != capacity_[v]) own = mix(own ^ static_cast<std::uint64_t>(room_[v] + 1));
  signature_[v] = mix(own ^ (children_sum_[v] + static_cast<std::uint64_t>(tree_->level(v) + 1)));
}

void CapacityView::update(const Books& books, NodeId node) {
  const std::optional<Vertex> leaf = tree_->leaf(node);
  if (!leaf) return;
  if (alone_at_ >= 0) return count(books);
  const std::int32_t before = capacity_[*leaf];
  const std::int32_t beside_before = beside_[*leaf];
  --obstacle_counts_[obstacle_of_leaf_[*leaf - tree_->first_leaf()]].nodes;
  judge(books, *leaf, node);
  const std::int32_t change = capacity_[*leaf] - before;
  if (change == 0 && beside_[*leaf] == beside_before) return;
  const Vertex parent = tree_->parent(*leaf);
  children_sum_[parent] -= mix(signature_[*leaf]);
  refresh_signature(*leaf);
  children_sum_[parent] += mix(signature_[*leaf]);
  climb(parent, change);
}

// `from` has another sum of children, and so much more capacity below: the same for all above it.
void CapacityView::climb(Vertex from, std::int32_t change) {
  for (Vertex v = from;; v = tree_->parent(v)) {
    const std::uint64_t old_mix = mix(signature_[v]);
    capacity_[v] += change;
    refresh_beside(v);
    refresh_signature(v);
    if (v == kRoot) return;
    children_sum_[tree_->parent(v)] += mix(signature_[v]) - old_mix;
  }
}

void CapacityView::follow(std::shared_ptr<const Tree> tree, const TreeChange& change, const Books& books) {
  if (change.at.empty() || alone_at_ >= 0) {
    tree_ = std::move(tree);
    if (alone_at_ >= 0) count(books);
  } else if (change.added) {
    tree_ = std::move(tree);
    take_in(change, books);
  } else {
    leave_out(change, std::move(tree));
  }
}

// The arrays get a place for each new vertex, broad to close; then they are filled from the leaf up.
void CapacityView::take_in(const TreeChange& change, const Books& books) {
  const auto insert = [&](auto& list, Vertex at, auto value) {
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), value);
  };
  for (const Vertex v : change.at) {
    insert(capacity_, v, 0);
    insert(beside_, v, -1);
    insert(signature_, v, std::uint64_t{0});
    insert(children_sum_, v, std::uint64_t{0});
  }
  const Vertex leaf = change.at.back();
  insert(obstacle_of_leaf_, leaf - tree_->first_leaf(), std::uint32_t{0});
  judge(books, leaf, tree_->node(leaf));
  refresh_signature(leaf);
  for (std::size_t i = change.at.size() - 1; i-- > 0;) sum_up(change.at[i]);
  const Vertex top = change.at.front();
  const Vertex parent = tree_->parent(top);
  children_sum_[parent] += mix(signature_[top]);
  climb(parent, capacity_[top]);
}

void CapacityView::leave_out(const TreeChange& change, std::shared_ptr<const Tree> next) {
  const Vertex top = change.at.front();
  const Vertex parent = tree_->parent(top);  // keeps its number: all that goes comes after it
  const std::int32_t lost = capacity_[top];
  children_sum_[parent] -= mix(signature_[top]);
  const auto erase = [](auto& list, Vertex at) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
  };
  const Vertex leaf_index = change.at.back() - tree_->first_leaf();
  --obstacle_counts_[obstacle_of_leaf_[leaf_index]].nodes;
  erase(obstacle_of_leaf_, leaf_index);
  for (const Vertex v : std::views::reverse(change.at)) {
    erase(capacity_, v);
    erase(beside_, v);
    erase(signature_, v);
    erase(children_sum_, v);
  }
  tree_ = std::move(next);
  climb(parent, -lost);
}

void CapacityView::hold(std::span<const std::uint8_t> leaves, const std::string& whom) {
  const Vertex first = tree_->first_leaf();
  const std::uint32_t held = obstacle_index(Obstacle::kHeld, whom);
  bool any = false;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Vertex leaf = first + static_cast<Vertex>(i);
    if (leaves[i] == 0 || (capacity_[leaf] == 0 && beside_[leaf] < 0)) continue;
    capacity_[leaf] = 0;
    beside_[leaf] = -1;
    --obstacle_counts_[obstacle_of_leaf_[i]].nodes;
    obstacle_of_leaf_[i] = held;
    ++obstacle_counts_[held].nodes;
    refresh_signature(leaf);
    any = true;
  }
  if (!any) return;  // full, or held for somebody else already
  for (Vertex v = first; v-- > 0;) sum_up(v);
}

void CapacityView::close(Vertex domain) {
  const VertexRange leaves = tree_->under(domain, tree_->levels());
  for (Vertex leaf = leaves.begin; leaf < leaves.end; ++leaf) limit(leaf, 0, true);
}

void CapacityView::close_to_extra(Vertex domain) {
  const VertexRange leaves = tree_->under(domain, tree_->levels());
  for (Vertex leaf = leaves.begin; leaf < leaves.end; ++leaf) limit(leaf, capacity_[leaf], false);
}

void CapacityView::limit(Vertex leaf, std::int32_t pods, bool extra) {
  if (!limited()) room_ = capacity_;
  const std::int32_t before = capacity_[leaf];
  const Vertex parent = tree_->parent(leaf);
  capacity_[leaf] = std::min(before, pods);
  beside_[leaf] = extra ? std::min(beside_[leaf], pods) : -1;
  children_sum_[parent] -= mix(signature_[leaf]);
  refresh_signature(leaf);
  children_sum_[parent] += mix(signature_[leaf]);
  climb(parent, capacity_[leaf] - before);
}

std::size_t CapacityView::bytes() const {
  return capacity_.capacity() * sizeof(capacity_[0]) + room_.capacity() * sizeof(room_[0]) +
         beside_.capacity() * sizeof(beside_[0]) + signature_.capacity() * sizeof(signature_[0]) +
         children_sum_.capacity() * sizeof(children_sum_[0]) +
         obstacle_of_leaf_.capacity() * sizeof(obstacle_of_leaf_[0]) +
         judged_.capacity() * sizeof(judged_[0]);
}

std::vector<CapacityView::ObstacleCount> CapacityView::obstacles(Vertex v) const {
  std::vector<ObstacleCount> counts = obstacle_counts_;
  if (v != kRoot) {
    for (ObstacleCount& count : counts) count.nodes = 0;
    const VertexRange leaves = tree_->under(v, tree_->levels());
    for (Vertex leaf = leaves.begin; leaf < leaves.end; ++leaf)
      ++counts[obstacle_of_leaf_[leaf - tree_->first_leaf()]].nodes;
  }
  std::erase_if(counts, [](const ObstacleCount& count) { return count.nodes == 0; });
  std::sort(counts.begin(), counts.end(), [](const ObstacleCount& a, const ObstacleCount& b) {
    return std::tie(a.obstacle, a.detail) < std::tie(b.obstacle, b.detail);
  });
  return counts;
}

}  // namespace toposeg::engine
