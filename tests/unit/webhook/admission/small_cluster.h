// The cluster of tests/data/reviews/cluster.yaml as records: 2 zones x 2 blocks x 2 racks x 3 hosts of 8
// GPUs.
#pragma once

#include <string>

#include "common/kube/records.h"

namespace toposeg::webhook::testing {

inline kube::Node small_node(const std::string& rack, int host) {
  kube::Node node;
  node.name = "node-" + rack + "-" + std::to_string(host);
  kube::put<std::string>(node.labels, "topology.kubernetes.io/zone", "zone-" + rack.substr(0, 1));
  kube::put<std::string>(node.labels, "cloud.provider.com/topology-block", "block-" + rack.substr(0, 2));
  kube::put<std::string>(node.labels, "cloud.provider.com/topology-rack", "rack-" + rack);
  kube::put<std::string>(node.labels, "kubernetes.io/hostname", node.name);
  kube::put<std::string>(node.labels, "kubernetes.io/arch", "amd64");
  kube::put<std::string>(node.labels, "type", "kwok");
  kube::put<std::int64_t>(node.allocatable, "cpu", 64'000);
  kube::put<std::int64_t>(node.allocatable, "memory", std::int64_t{512} << 30);
  kube::put<std::int64_t>(node.allocatable, "pods", 110);
  kube::put<std::int64_t>(node.allocatable, "nvidia.com/gpu", 8);
  return node;
}

inline kube::Topology small_topology() {
  return {"cluster-topology",
          {{"topology.kubernetes.io/zone", "zone"},
           {"cloud.provider.com/topology-block", "block"},
           {"cloud.provider.com/topology-rack", "rack"},
           {"kubernetes.io/hostname", "host"}},
          "kai.scheduler"};
}

inline kube::Cluster small_cluster() {
  kube::Cluster cluster;
  for (const char* rack : {"111", "112", "121", "122", "211", "212", "221", "222"}) {
    for (int host = 1; host <= 3; ++host) cluster.nodes.push_back(small_node(rack, host));
  }
  cluster.topologies.push_back(small_topology());
  return cluster;
}

}  // namespace toposeg::webhook::testing
