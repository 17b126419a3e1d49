// A small cluster and workloads for the engine's tests. Capacity is counted in pods: a worker asks for one
// device.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "engine/placement/engine.h"

namespace toposeg::engine::test {

inline constexpr std::string_view kGpu = "nvidia.com/gpu";
inline constexpr std::string_view kHostname = "kubernetes.io/hostname";
inline const std::string kRack = "cloud.provider.com/topology-rack";
inline const std::string kZone = "topology.kubernetes.io/zone";

inline kube::PodSpec pod(std::int64_t gpus = 1) {
  kube::PodSpec spec;
  spec.requests = {{std::string(kGpu), gpus}};
  return spec;
}

struct Rig {
  ManualClock clock;
  Engine engine;
  std::vector<std::string> levels;

  explicit Rig(std::vector<std::string> labels, EngineOptions options = {})
      : engine(options, clock), levels(std::move(labels)) {
    kube::Topology topology;
    topology.name = "cluster-topology";
    for (const std::string& label : levels) topology.levels.push_back({label, ""});
    engine.upsert_topology(topology);
  }

  // A node named like the last label value, or with a name of its own when the hostname is no level.
  kube::Node node(const std::vector<std::string>& path, std::int64_t gpus, const std::string& name) const {
    kube::Node node;
    node.name = name;
    for (std::size_t i = 0; i < path.size(); ++i) kube::put(node.labels, levels[i], path[i]);
    kube::put(node.labels, kHostname, name);
    node.allocatable = {{std::string(kGpu), gpus}, {"pods", 110}};
    return node;
  }
  void add(const std::vector<std::string>& path, std::int64_t gpus, const std::string& name) {
    engine.upsert_node(node(path, gpus, name));
  }
};

// The cluster of the page's examples: 2 zones x 2 blocks x 2 racks x 4 hosts, 8 devices each.
inline Rig page_cluster() {
  return Rig({kZone, "cloud.provider.com/topology-block", kRack, std::string(kHostname)});
}
inline void fill(Rig& rig, int zones, int blocks, int racks, int hosts, std::int64_t gpus) {
  int number = 0;
  for (int z = 0; z < zones; ++z) {
    for (int b = 0; b < blocks; ++b) {
      for (int r = 0; r < racks; ++r) {
        for (int h = 0; h < hosts; ++h) {
          std::string name = std::to_string(10000 + number++);
          name[0] = 'n';
          rig.add(
              {"zone-" + std::to_string(z), "block-" + std::to_string(b), "rack-" + std::to_string(r), name},
              gpus, name);
        }
      }
    }
  }
}

inline workload::Workload job(const std::string& name, int pods, int size) {
  workload::Workload workload;
  workload.identity = {"kubeflow.org", "PyTorchJob", "team", name, ""};
  workload.segments = {pods, size, workload::SegmentRule::kPlain};
  workload.needed_segments = workload.segments.count();
  workload.topology = "cluster-topology";
  workload.worker = pod();
  return workload;
}

inline workload::Workload leader_worker_set(const std::string& name, int pods, int size,
                                            workload::SegmentRule rule) {
  workload::Workload workload = job(name, pods, size);
  workload.identity.api_group = "leaderworkerset.x-k8s.io";
  workload.identity.kind = "LeaderWorkerSet";
  workload.segments.rule = rule;
  workload.needed_segments = workload.segments.count();
  workload.extra = rule == workload::SegmentRule::kLeaderExcluded ? workload::ExtraRole::kLeaderApart
                                                                  : workload::ExtraRole::kLeaderInFirst;
  return workload;
}

inline workload::Member worker(const workload::Workload& workload, int index, int group = 0) {
  const bool led = workload.extra == workload::ExtraRole::kLeaderInFirst ||
                   workload.extra == workload::ExtraRole::kLeaderApart;
  return {workload.identity, group, led && index == 0 ? workload::Role::kLeader : workload::Role::kWorker,
          index};
}
inline workload::Member master(const workload::Workload& workload, int index = 0) {
  return {workload.identity, 0, workload::Role::kMaster, index};
}

// A pod of a PyTorchJob as the cluster shows it.
inline kube::Pod seen(const workload::Workload& workload, int index, const std::string& node,
                      const std::string& uid_suffix = "", std::int64_t gpus = 1) {
  kube::Pod pod;
  pod.namespace_ = workload.identity.namespace_;
  pod.name = workload.identity.name + "-worker-" + std::to_string(index);
  pod.uid = "uid-" + pod.name + uid_suffix;
  pod.node_name = node;
  pod.phase = node.empty() ? kube::PodPhase::kPending : kube::PodPhase::kRunning;
  pod.requests = {{std::string(kGpu), gpus}};
  pod.owners = {{"kubeflow.org/v1", "PyTorchJob", workload.identity.name, workload.identity.uid, true}};
  pod.labels = {{"training.kubeflow.org/job-name", workload.identity.name},
                {"training.kubeflow.org/operator-name", "pytorchjob-controller"},
                {"training.kubeflow.org/replica-index", std::to_string(index)},
                {"training.kubeflow.org/replica-type", "worker"}};
  return pod;
}

inline std::vector<int> indices(const PlannedSegment& segment) {
  std::vector<int> out;
  for (const PlannedPod& pod : segment.pods) out.push_back(pod.index);
  return out;
}

// The last label of each placed segment's domain, in the order of segments.
inline std::vector<std::string> domains(const Plan& plan) {
  std::vector<std::string> out;
  for (const PlannedGroup& group : plan.groups) {
    for (const PlannedSegment& segment : group.segments) {
      out.push_back(segment.domain.empty() ? "" : segment.domain.back());
    }
  }
  return out;
}

inline int placed(const Plan& plan) {
  int count = 0;
  for (const PlannedGroup& group : plan.groups) {
    for (const PlannedSegment& segment : group.segments)
      count += segment.status == SegmentStatus::kPlaced ? 1 : 0;
  }
  return count;
}

}  // namespace toposeg::engine::test
