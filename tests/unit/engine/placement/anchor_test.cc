#include "engine/placement/anchor.h"

#include <string>

#include "unit/catch.h"

namespace toposeg::engine {
namespace {

TEST_CASE("the scheduler looks at all of a hundred nodes and at ever fewer of more") {
  CHECK(scheduler_sample(0) == 0);
  CHECK(scheduler_sample(99) == 99);
  CHECK(scheduler_sample(100) == 100);
  CHECK(scheduler_sample(101) == 100);
  CHECK(scheduler_sample(1000) == 420);
  CHECK(scheduler_sample(5000) == 500);
  CHECK(scheduler_sample(5625) == 281);
  CHECK(scheduler_sample(6000) == 300);
  CHECK(scheduler_sample(129024) == 6451);
}

struct Cluster {
  std::vector<kube::Node> nodes;
  std::shared_ptr<const Tree> tree;

  Cluster(int zones, int racks, int hosts) {
    for (int i = 0; i < zones * racks * hosts; ++i) {
      kube::Node node;
      node.name = "n" + std::to_string(i);
      node.labels = {{"rack", "r" + std::to_string(i / hosts)},
                     {"zone", "z" + std::to_string(i / hosts / racks)}};
      nodes.push_back(node);
    }
    std::vector<const kube::Node*> pointers;
    const auto names = std::make_shared<NodeNames>();
    for (const kube::Node& node : nodes) {
      pointers.push_back(&node);
      names->intern(node.name);
    }
    kube::Topology topology;
    topology.name = "t";
    topology.levels = {{"zone", ""}, {"rack", ""}};
    tree = Tree::build(topology, pointers, names);
  }
};

TEST_CASE("the widest ancestor within the sample is the anchor") {
  const Cluster small(1, 5, 20);
  const Vertex rack = small.tree->at_level(1).begin;
  CHECK(anchor_length(*small.tree, rack, 100) == 0);
  const Cluster narrow_zones(4, 10, 10);
  CHECK(anchor_length(*narrow_zones.tree, narrow_zones.tree->at_level(1).begin, 400) == 1);
  const Cluster wide_zone(1, 30, 20);
  CHECK(anchor_length(*wide_zone.tree, wide_zone.tree->at_level(1).begin, 600) == 2);
  CHECK(anchor_length(*wide_zone.tree, wide_zone.tree->at_level(0).begin, 600) == 0);
}

}  // namespace
}  // namespace toposeg::engine
