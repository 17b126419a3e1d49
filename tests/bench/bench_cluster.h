// Clusters for the benches: hosts of 8 GPUs in racks of 18, 8 racks a block, 9 blocks a zone.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "common/kube/records.h"

namespace toposeg::bench {

inline constexpr int kHostsPerRack = 18;
inline constexpr int kRacksPerBlock = 8;
inline constexpr int kBlocksPerZone = 9;

inline kube::Node host(int index) {
  const int rack = index / kHostsPerRack;
  const int block = rack / kRacksPerBlock;
  kube::Node node;
  node.name = fmt::format("node-{:06}", index);
  kube::put(node.labels, "kubernetes.io/hostname", node.name);
  kube::put(node.labels, "topology.kubernetes.io/zone", fmt::format("zone-{:02}", block / kBlocksPerZone));
  kube::put(node.labels, "cloud.provider.com/topology-block", fmt::format("block-{:03}", block));
  kube::put(node.labels, "cloud.provider.com/topology-rack", fmt::format("rack-{:04}", rack));
  kube::put(node.allocatable, "cpu", std::int64_t{128'000});
  kube::put(node.allocatable, "memory", std::int64_t{1} << 40U);
  kube::put(node.allocatable, "nvidia.com/gpu", std::int64_t{8});
  kube::put(node.allocatable, "pods", std::int64_t{110});
  return node;
}

inline kube::Cluster cluster_of(int nodes) {
  kube::Cluster cluster;
  for (int i = 0; i < nodes; ++i) cluster.nodes.push_back(host(i));
  kube::Topology topology{.name = "cluster-topology", .levels = {}, .api_group = "kai.scheduler"};
  for (const char* label : {"topology.kubernetes.io/zone", "cloud.provider.com/topology-block",
                            "cloud.provider.com/topology-rack", "kubernetes.io/hostname"}) {
    topology.levels.push_back({label, ""});
  }
  cluster.topologies.push_back(std::move(topology));
  return cluster;
}

}  // namespace toposeg::bench
