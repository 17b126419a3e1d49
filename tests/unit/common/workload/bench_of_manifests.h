// Manifests and a cluster to read them by, for the tests of this folder.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "common/config/config.h"
#include "common/workload/normalise.h"

namespace toposeg::workload::testing {

using json::Document;
using Annotations = std::initializer_list<std::pair<const char*, Document>>;

inline constexpr const char* kZone = "topology.kubernetes.io/zone";
inline constexpr const char* kRack = "cloud.provider.com/topology-rack";
inline constexpr const char* kHostname = "kubernetes.io/hostname";

inline kube::Topology topology(std::string name) {
  return {std::move(name), {{kZone, ""}, {kRack, "rack"}, {kHostname, ""}}, "kai.scheduler"};
}

inline Document annotations(Annotations list) {
  Document map = Document::object();
  for (const auto& [key, value] : list) map[key] = value;
  return map;
}

inline Document pod_template(Annotations list) {
  return {{"metadata", {{"annotations", annotations(list)}}}, {"spec", {{"containers", Document::array()}}}};
}

// A PyTorchJob of the seed page's form: one Master and `workers` workers.
inline Document pytorchjob(Document workers, Annotations worker, Annotations root = {}) {
  Document job{{"apiVersion", "kubeflow.org/v1"}, {"kind", "PyTorchJob"}};
  job["metadata"] = {{"name", "train"}, {"namespace", "ml-team"}, {"annotations", annotations(root)}};
  Document& specs = job["spec"]["pytorchReplicaSpecs"];
  specs["Master"] = {{"replicas", 1}, {"template", pod_template({})}};
  specs["Worker"] = {{"replicas", std::move(workers)}, {"template", pod_template(worker)}};
  return job;
}

inline Document leaderworkerset(int size, Document sub_group_policy, Annotations worker,
                                Annotations root = {}) {
  Document set{{"apiVersion", "leaderworkerset.x-k8s.io/v1"}, {"kind", "LeaderWorkerSet"}};
  set["metadata"] = {{"name", "serve"}, {"namespace", "ml-team"}, {"annotations", annotations(root)}};
  Document& inner = set["spec"]["leaderWorkerTemplate"];
  inner["size"] = size;
  inner["subGroupPolicy"] = std::move(sub_group_policy);
  inner["leaderTemplate"] = pod_template({});
  inner["workerTemplate"] = pod_template(worker);
  return set;
}

inline Document native(int workers, Document per_segment, Annotations list = {}) {
  Document object{{"apiVersion", "run.ai/v2alpha1"}, {"kind", "DistributedWorkload"}};
  object["metadata"] = {{"name", "train"}, {"namespace", "ml-team"}};
  object["spec"]["workers"]["value"] = workers;
  if (!per_segment.is_null()) object["spec"]["workersPerSegment"]["value"] = std::move(per_segment);
  for (const auto& [key, value] : list) object["spec"]["annotations"]["items"][key]["value"] = value;
  return object;
}

struct Setting {
  std::vector<kube::Topology> topologies = {topology("cluster-topology")};
  config::WorkloadConfig config = config::defaults().workloads;
  Requester requester{"alice", {}, "kubectl-create"};

  [[nodiscard]] Normalised read(const Document& object) const {
    return normalise(object, {topologies, config, requester});
  }
};

inline std::string texts(const std::vector<Error>& causes) {
  std::string all;
  for (const Error& cause : causes) all += cause.text() + "\n";
  return all;
}

inline std::string lines(const std::vector<std::string>& warnings) {
  std::string all;
  for (const std::string& warning : warnings) all += warning + "\n";
  return all;
}

// The object with its additions made.
inline Document with_additions(const Document& object, const std::vector<Addition>& additions) {
  Document result = object;
  for (const Addition& addition : additions) {
    Document* here = &result;
    for (const std::string& token : addition.path) here = &(*here)[token];
    *here = addition.value;
  }
  return result;
}

inline std::string fields(const std::vector<Addition>& additions) {
  std::string all;
  for (const Addition& addition : additions) {
    all += json::to_field(addition.path) + " = " + addition.value.dump() + "\n";
  }
  return all;
}

}  // namespace toposeg::workload::testing
