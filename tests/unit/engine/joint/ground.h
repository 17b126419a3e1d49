// Small clusters and questions for the tests of this room.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/joint/joint_planner.h"

namespace toposeg::engine {

inline kube::PodSpec shape(std::int64_t gpus, std::int64_t cpus) {
  kube::PodSpec spec;
  spec.requests = {{"cpu", cpus}, {"gpu", gpus}};
  return spec;
}

// Racks of nodes, named r0n0, r0n1, …
struct Ground {
  Books books;
  std::shared_ptr<const Tree> tree;
  Planner planner;
  std::vector<std::unique_ptr<CapacityView>> views;

  explicit Ground(const std::vector<std::vector<kube::ResourceList>>& racks) {
    for (std::size_t r = 0; r < racks.size(); ++r) {
      for (std::size_t n = 0; n < racks[r].size(); ++n) {
        kube::Node node;
        node.name = "r" + std::to_string(r) + "n" + std::to_string(n);
        kube::put(node.labels, "rack", "r" + std::to_string(r));
        node.allocatable = racks[r][n];
        kube::put(node.allocatable, "pods", std::int64_t{110});
        books.upsert(node);
      }
    }
    tree =
        Tree::build({.name = "t", .levels = {{"rack", ""}}, .api_group = ""}, books.nodes(), books.names());
  }
  ViewSource source() {
    return [this](const kube::PodSpec& spec, const std::optional<kube::PodSpec>& extra) {
      return std::make_shared<const CapacityView>(tree, books, spec, extra);
    };
  }
  JointPlanner joint() { return {tree, books, planner, source()}; }
  [[nodiscard]] Vertex leaf(std::string_view name) const { return *tree->leaf(name); }
};

inline kube::ResourceList node(std::int64_t gpus, std::int64_t cpus) {
  return {{"cpu", cpus}, {"gpu", gpus}};
}

inline JointItem segment(int group, std::vector<JointPart> parts, int required = 0) {
  JointItem item;
  item.group = group;
  item.parts = std::move(parts);
  item.required = item.goal = required;
  return item;
}

}  // namespace toposeg::engine
