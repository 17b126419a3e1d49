// The benchmark problems P1 to P8: clusters of zones, blocks, racks and hosts with some hosts busy, and one
// job on each. Node i stands in rack i / per_rack, and so on upwards; a pod takes a whole host of 8 GPUs
// unless said otherwise.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/capacity/view.h"
#include "engine/planner/problem.h"

namespace toposeg::bench {

struct Shape {
  int racks = 0;
  int per_rack = 0;
  int racks_per_block = 0;
  int blocks_per_zone = 0;
};

struct Question {
  std::string name;
  Shape cluster;
  std::function<bool(int node)> busy;  // called once for each node, in order
  int gpus_per_pod = 8;
  engine::Problem problem;
  int placed = 0;       // segments that the right answer places
  int busy_hosts = -1;  // checked where it is known; -1 = it is not
};

// All of them, in order. Level indices: 0 zone, 1 block, 2 rack, 3 host.
[[nodiscard]] std::vector<Question> questions();

struct Cluster {
  engine::Books books;
  int busy = 0;
  std::shared_ptr<const engine::Tree> tree;
};

// Clusters of 1,000, 5,184, 20,736 and 129,024 nodes, and the name of a bench on one of them.
[[nodiscard]] std::vector<Shape> scale();
[[nodiscard]] std::string scaled(const std::string& bench, const Shape& shape);

[[nodiscard]] kube::Topology topology();
[[nodiscard]] std::unique_ptr<Cluster> make_cluster(const Shape& shape, const std::function<bool(int)>& busy);
[[nodiscard]] kube::PodSpec make_pod(int gpus);

}  // namespace toposeg::bench
