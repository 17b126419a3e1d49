// Small clusters for the tests of advice on fragmentation: one resource, hosts given by what is free on them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/defrag/problem.h"

namespace toposeg::engine::defrag::test {

// Free devices by block, rack and host. Levels: block, rack, host.
using Blocks = std::vector<std::vector<std::vector<std::int64_t>>>;

inline constexpr int kBlock = 0;
inline constexpr int kRack = 1;
inline constexpr int kHost = 2;

inline Problem cluster(const Blocks& blocks, std::int64_t probe = 1) {
  std::vector<kube::Node> nodes;
  Problem problem;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (std::size_t r = 0; r < blocks[b].size(); ++r) {
      for (const std::int64_t free : blocks[b][r]) {
        kube::Node node;
        node.name = "n" + std::to_string(1000 + nodes.size());
        node.labels = {{"block", "b" + std::to_string(b)},
                       {"host", node.name},
                       {"rack", "b" + std::to_string(b) + "r" + std::to_string(r)}};
        nodes.push_back(std::move(node));
        problem.free.push_back({free});
      }
    }
  }
  std::vector<const kube::Node*> known;
  const auto names = std::make_shared<NodeNames>();
  for (const kube::Node& node : nodes) {
    known.push_back(&node);
    names->intern(node.name);
  }
  problem.tree = Tree::build({"t", {{"block", ""}, {"rack", ""}, {"host", ""}}, ""}, known, names);
  problem.probe.requests = {probe};
  problem.level = kRack;
  return problem;
}

inline void add_segment(Problem& problem, int level, std::vector<Leaf> hosts, std::int64_t devices = 1) {
  problem.shapes.push_back({{devices}, {}});
  problem.segments.push_back({problem.shapes.size() - 1, level, kRoot, std::move(hosts)});
}

inline Vertex rack(const Problem& problem, Vertex number) {
  return problem.tree->at_level(kRack).begin + number;
}

}  // namespace toposeg::engine::defrag::test
