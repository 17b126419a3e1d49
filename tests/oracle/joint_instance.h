// Small random questions for the joint planner, each made from one seed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/capacity/books.h"
#include "engine/joint/problem.h"
#include "engine/topology/tree.h"

namespace toposeg::engine::oracle {

struct JointInstance {
  std::uint64_t seed = 0;
  Books books;
  kube::Topology topology;
  std::shared_ptr<const Tree> tree;
  JointProblem problem;

  // For a failing case: nodes, shapes, groups and items in a few lines.
  [[nodiscard]] std::string text() const;
  // Whether a domain's room is that of its nodes: not so for pods that repel each other, of which a domain
  // takes one, whichever of its nodes that stands on. Then what is left over is the planner's to count.
  [[nodiscard]] bool rooms_are_sums() const;
};

// Up to 3 levels and 8 nodes of 2 kinds, 2 or 3 shapes that ask for 2 resources, up to 3 groups and 6 items:
// with leaders, partial segments, pods apart, segments partly in place, required and preferred levels. In a
// third of them the groups are replicas, on nodes that are often alike.
[[nodiscard]] JointInstance make_joint_instance(std::uint64_t seed);
// The same, with pods that keep their like out of a domain of some level.
[[nodiscard]] JointInstance make_repelling_instance(std::uint64_t seed);

}  // namespace toposeg::engine::oracle
