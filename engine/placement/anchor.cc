#include "engine/placement/anchor.h"

#include <algorithm>

namespace toposeg::engine {

namespace {

constexpr std::size_t kSmallestSample = 100;

}  // namespace

std::size_t scheduler_sample(std::size_t cluster_nodes) {
  if (cluster_nodes <= kSmallestSample) return cluster_nodes;
  const std::size_t fall = cluster_nodes / 125;
  const std::size_t percent = fall >= 45 ? 5 : 50 - fall;
  return std::max(kSmallestSample, cluster_nodes * percent / 100);
}

std::size_t anchor_length(const Tree& tree, Vertex domain, std::size_t cluster_nodes) {
  if (cluster_nodes <= kSmallestSample) return 0;
  const std::size_t sample = scheduler_sample(cluster_nodes);
  for (int level = 0; level <= tree.level(domain); ++level) {
    const Vertex ancestor = tree.ancestor(domain, level);
    if (tree.under(ancestor, tree.levels()).size() <= sample) return static_cast<std::size_t>(level) + 1;
  }
  return 0;
}

}  // namespace toposeg::engine
