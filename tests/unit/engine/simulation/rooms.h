// Small sites for the simulator's tests. Every host takes one pod unless said otherwise.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/simulation/job.h"
#include "engine/simulation/site.h"

namespace toposeg::simulation::test {

inline constexpr const char* kGpu = "nvidia.com/gpu";
inline constexpr int kBlock = 0;
inline constexpr int kRack = 1;
inline constexpr int kHost = 2;

struct RackOf {
  std::string block;
  std::string rack;
  int hosts = 1;
  int gpus = 1;  // on each host
};

// Levels block, rack, host. Hosts are named after their rack: a-0, a-1, …
inline kube::Cluster cluster_of(const std::vector<RackOf>& racks) {
  kube::Cluster cluster;
  cluster.topologies.push_back(
      {"t", {{"example.com/block", ""}, {"example.com/rack", ""}, {"kubernetes.io/hostname", "host"}}, ""});
  for (const RackOf& rack : racks) {
    for (int i = 0; i < rack.hosts; ++i) {
      kube::Node node;
      node.name = fmt::format("{}-{}", rack.rack, i);
      kube::put(node.labels, "example.com/block", rack.block);
      kube::put(node.labels, "example.com/rack", rack.rack);
      kube::put(node.labels, "kubernetes.io/hostname", node.name);
      node.allocatable = {{kGpu, rack.gpus}, {"pods", 110}};
      cluster.nodes.push_back(std::move(node));
    }
  }
  return cluster;
}

inline Site site_of(const std::vector<RackOf>& racks) { return make_site(cluster_of(racks), "").value(); }

// `segment` 0 = not segmented.
inline Job job(const std::string& name, Seconds arrival, Seconds duration, int pods, int segment) {
  Job job;
  job.name = name;
  job.arrival = arrival;
  job.duration = duration;
  job.pods = pods;
  job.segment = segment;
  job.pod.requests = {{kGpu, 1}};
  return job;
}

inline Job in_rack(Job job) {
  job.levels.segment_required = kRack;
  return job;
}

inline Job rather_in_rack(Job job) {
  job.levels.segment_preferred = kRack;
  return job;
}

}  // namespace toposeg::simulation::test
