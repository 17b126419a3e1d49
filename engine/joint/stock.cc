#include "engine/joint/stock.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "common/kube/filters.h"
#include "engine/capacity/view.h"

namespace toposeg::engine {

namespace {

// The resources that any shape asks for, by name, and pods.
std::vector<std::string_view> resources_of(const std::vector<kube::PodSpec>& shapes) {
  std::vector<std::string_view> names{"pods"};
  for (const kube::PodSpec& shape : shapes) {
    for (const auto& [name, value] : shape.requests) {
      if (value > 0) names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15U + (hash << 6U) + (hash >> 2U);
  hash *= 0xff51afd7ed558ccdU;
  return hash ^ (hash >> 32U);
}

}  // namespace

Stock::Stock(const Tree& tree, const Books& books, const std::vector<kube::PodSpec>& shapes)
    : tree_(&tree), first_leaf_(tree.at_level(tree.levels()).begin), shapes_(shapes.size()) {
  const std::vector<std::string_view> names = resources_of(shapes);
  std::vector<std::pair<std::size_t, std::size_t>> rivals;  // shapes that cannot share a node
  for (std::size_t a = 0; a < shapes_; ++a) {
    for (std::size_t b = a + 1; b < shapes_; ++b) {
      if (kube::ports_conflict(shapes[a].host_ports, shapes[b].host_ports)) rivals.emplace_back(a, b);
    }
  }
  resources_ = names.size() + rivals.size();
  requests_.assign(shapes_ * resources_, 0);
  for (std::size_t s = 0; s < shapes_; ++s) {
    for (std::size_t r = 0; r < names.size(); ++r) {
      const std::int64_t* value = kube::find(shapes[s].requests, names[r]);
      requests_[s * resources_ + r] = names[r] == "pods" ? 1 : value == nullptr ? 0 : *value;
    }
    for (std::size_t r = 0; r < rivals.size(); ++r) {
      const bool one = rivals[r].first == s || rivals[r].second == s;
      requests_[s * resources_ + names.size() + r] = one ? 1 : 0;
    }
  }
  for (const kube::PodSpec& shape : shapes) {
    repel_.push_back(repel_level(tree, shape));
    const auto like =
        std::find_if(shapes.begin(), shapes.end(), [&](const auto& s) { return same_shape(s, shape); });
    like_.push_back(static_cast<std::size_t>(like - shapes.begin()));
  }
  if (any_repel(tree, shapes)) lone_.assign(tree.size() * shapes_, 0);
  const VertexRange leaves = tree.at_level(tree.levels());
  free_.assign(leaves.size() * resources_, 1);
  most_.assign(leaves.size() * shapes_, 0);
  placed_.assign(leaves.size() * shapes_, 0);
  for (Vertex leaf = leaves.begin; leaf < leaves.end; ++leaf) {
    const NodeId* node = books.id(tree.name(leaf));
    if (node == nullptr) continue;
    for (std::size_t r = 0; r < names.size(); ++r)
      free_[at(leaf) * resources_ + r] = std::max<std::int64_t>(0, books.free(*node, names[r]));
    for (std::size_t s = 0; s < shapes_; ++s)
      most_[at(leaf) * shapes_ + s] = books.capacity(*node, shapes[s]);
  }
}

std::optional<Vertex> Stock::lone_domain(std::size_t shape, Vertex leaf) const {
  if (repel_[shape] < 0) return std::nullopt;
  return tree_->ancestor(leaf, repel_[shape]);
}

int Stock::room(int shape, Vertex leaf) const {
  const auto s = static_cast<std::size_t>(shape);
  std::int64_t room = most_[at(leaf) * shapes_ + s] - placed_[at(leaf) * shapes_ + s];
  if (const auto domain = lone_domain(s, leaf))
    room = std::min<std::int64_t>(room, 1 - lone_[*domain * shapes_ + like_[s]]);
  const std::int64_t* free = &free_[at(leaf) * resources_];
  const std::int64_t* request = &requests_[s * resources_];
  for (std::size_t r = 0; r < resources_ && room > 0; ++r) {
    if (request[r] > 0) room = std::min(room, free[r] / request[r]);
  }
  return static_cast<int>(std::max<std::int64_t>(0, room));
}

void Stock::put(int shape, Vertex leaf, int pods) {
  const auto s = static_cast<std::size_t>(shape);
  placed_[at(leaf) * shapes_ + s] += pods;
  if (const auto domain = lone_domain(s, leaf)) lone_[*domain * shapes_ + like_[s]] += pods;
  for (std::size_t r = 0; r < resources_; ++r)
    free_[at(leaf) * resources_ + r] -= requests_[s * resources_ + r] * pods;
}

std::uint64_t Stock::signature(Vertex leaf) const {
  std::uint64_t hash = 1;
  for (std::size_t r = 0; r < resources_; ++r)
    hash = mix(hash, static_cast<std::uint64_t>(free_[at(leaf) * resources_ + r]));
  for (std::size_t s = 0; s < shapes_; ++s)
    hash = mix(hash, static_cast<std::uint64_t>(most_[at(leaf) * shapes_ + s]));
  return hash;
}

}  // namespace toposeg::engine
