// What the operators make of their workloads: the pods of a PyTorchJob and of a LeaderWorkerSet, as far as
// placement sees them.
#pragma once

#include <string>

#include "unit/webhook/admission/desk.h"

namespace toposeg::webhook::testing {

inline Document pod_from(const Document& pod_template, const std::string& name,
                         const std::string& namespace_) {
  Document pod{{"apiVersion", "v1"}, {"kind", "Pod"}, {"spec", pod_template["spec"]}};
  const Document metadata = pod_template.value("metadata", Document::object());
  for (const char* part : {"labels", "annotations"}) {
    if (metadata.contains(part)) pod["metadata"][part] = metadata[part];
  }
  pod["metadata"]["name"] = name;
  pod["metadata"]["namespace"] = namespace_;
  pod["spec"]["schedulerName"] = "default-scheduler";
  return pod;
}

// training-operator: the template's labels and annotations only, its own labels, the job as controller.
inline Document pytorch_pod(const Document& job, const std::string& type, int index) {
  const std::string name = job["metadata"]["name"].get<std::string>();
  const std::string replica = type == "worker" ? "Worker" : "Master";
  const std::string number = std::to_string(index);
  Document pod = pod_from(job["spec"]["pytorchReplicaSpecs"][replica]["template"],
                          name + "-" + type + "-" + number, job["metadata"].value("namespace", "ml-team"));
  Document& labels = pod["metadata"]["labels"];
  labels["training.kubeflow.org/job-name"] = name;
  labels["training.kubeflow.org/operator-name"] = "pytorchjob-controller";
  labels["training.kubeflow.org/replica-index"] = number;
  labels["training.kubeflow.org/replica-type"] = type;
  pod["metadata"]["ownerReferences"] = Document::array({{{"apiVersion", "kubeflow.org/v1"},
                                                         {"kind", "PyTorchJob"},
                                                         {"name", name},
                                                         {"uid", name + "-uid"},
                                                         {"controller", true}}});
  return pod;
}

// The LeaderWorkerSet controller, before its own pod webhook: worker 0 is the leader.
inline Document lws_pod(const Document& lws, int group, int worker) {
  const std::string prefix = "leaderworkerset.sigs.k8s.io/";
  const std::string name = lws["metadata"]["name"].get<std::string>();
  const std::string leader = name + "-" + std::to_string(group);
  const Document& spec = lws["spec"]["leaderWorkerTemplate"];
  const bool own_template = worker == 0 && spec.contains("leaderTemplate");
  Document pod = pod_from(spec[own_template ? "leaderTemplate" : "workerTemplate"],
                          worker == 0 ? leader : leader + "-" + std::to_string(worker),
                          lws["metadata"].value("namespace", "ml-team"));
  Document& metadata = pod["metadata"];
  metadata["labels"][prefix + "name"] = name;
  metadata["annotations"][prefix + "size"] = std::to_string(spec["size"].get<int>());
  if (spec.contains("subGroupPolicy")) {
    const Document& policy = spec["subGroupPolicy"];
    metadata["annotations"][prefix + "subgroup-size"] = std::to_string(policy["subGroupSize"].get<int>());
    metadata["annotations"][prefix + "subgroup-policy-type"] =
        policy.value("subGroupPolicyType", "LeaderWorker");
  }
  if (worker == 0) {
    metadata["labels"][prefix + "worker-index"] = "0";
  } else {
    metadata["labels"][prefix + "group-index"] = std::to_string(group);
    metadata["annotations"][prefix + "leader-name"] = leader;
  }
  metadata["ownerReferences"] = Document::array({{{"apiVersion", "apps/v1"},
                                                  {"kind", "StatefulSet"},
                                                  {"name", worker == 0 ? name : leader},
                                                  {"uid", leader + "-uid"},
                                                  {"controller", true}}});
  return pod;
}

inline void ask_gpus(Document& pod_template, int count) {
  pod_template["spec"]["containers"][0]["resources"]["limits"]["nvidia.com/gpu"] = std::to_string(count);
}

// The page's PyTorchJob with `workers` workers of `gpus` GPUs in segments of `size`, each required in one
// rack.
inline Document rack_job(const std::string& name, int workers, int size, int gpus) {
  Document job = recorded_object("pytorchjob-create-kubectl-create");
  job["metadata"] = {{"name", name}, {"namespace", "ml-team"}};
  Document& worker = job["spec"]["pytorchReplicaSpecs"]["Worker"];
  worker["replicas"] = workers;
  worker["template"]["metadata"]["annotations"]["kai.scheduler/segment-size"] = std::to_string(size);
  ask_gpus(worker["template"], gpus);
  return job;
}

}  // namespace toposeg::webhook::testing
