#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/kube/effective_request.h"
#include "common/kube/fields.h"
#include "common/kube/read.h"
#include "common/kube/timestamp.h"

namespace toposeg::kube {

namespace {

constexpr std::array<std::string_view, 6> kLabelPrefixes = {
    "training.kubeflow.org/", "leaderworkerset.sigs.k8s.io/", "toposeg.io/",
    "kueue.x-k8s.io/",        "apps.kubernetes.io/pod-index", "statefulset.kubernetes.io/pod-name"};
constexpr std::array<std::string_view, 3> kAnnotationPrefixes = {"kai.scheduler/", "toposeg.io/",
                                                                 "leaderworkerset.sigs.k8s.io/"};

// Keeps only the keys that identify the pod or carry a decision of ours. Values that are no text are left to
// the API server to refuse.
template <typename Prefixes>
StringMap keep(const json::Document* map, const Prefixes& prefixes) {
  StringMap kept;
  if (map == nullptr || !map->is_object()) return kept;
  for (const auto& [key, value] : map->items()) {
    const bool wanted = std::any_of(prefixes.begin(), prefixes.end(),
                                    [&](std::string_view prefix) { return key.starts_with(prefix); });
    if (wanted && value.is_string()) kept.emplace_back(key, value.template get<std::string>());
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

PodPhase read_phase(const json::Document* status) {
  const std::string* phase = json::text(json::member(status, "phase"));
  if (phase == nullptr || *phase == "Pending") return PodPhase::kPending;
  if (*phase == "Running") return PodPhase::kRunning;
  if (*phase == "Succeeded") return PodPhase::kSucceeded;
  if (*phase == "Failed") return PodPhase::kFailed;
  return PodPhase::kUnknown;
}

void read_owners(const json::Document* list, Pod& pod) {
  if (list == nullptr || !list->is_array()) return;
  for (const json::Document& entry : *list) {
    OwnerReference owner;
    const auto copy = [&](const char* key, std::string& into) {
      if (const std::string* text = json::text(json::member(&entry, key)); text != nullptr) into = *text;
    };
    copy("apiVersion", owner.api_version);
    copy("kind", owner.kind);
    copy("name", owner.name);
    copy("uid", owner.uid);
    const json::Document* controller = json::member(&entry, "controller");
    owner.controller = controller != nullptr && controller->is_boolean() && controller->get<bool>();
    pod.owners.push_back(std::move(owner));
  }
}

void read_gates(const json::Document* list, Pod& pod) {
  if (list == nullptr || !list->is_array()) return;
  for (const json::Document& entry : *list) {
    if (const std::string* name = json::text(json::member(&entry, "name")); name != nullptr)
      pod.gates.push_back(*name);
  }
}

}  // namespace

Result<Pod> read_pod(const json::Document& object) {
  Pod pod;
  const json::Document* metadata = json::member(&object, "metadata");
  const json::Document* status = json::member(&object, "status");
  for (const auto& [key, into] :
       {std::pair{"namespace", &pod.namespace_}, {"name", &pod.name}, {"uid", &pod.uid}}) {
    auto text = text_field(metadata, key, "metadata");
    if (!text) return std::unexpected(text.error());
    *into = std::move(*text);
  }
  if (pod.name.empty()) return fail(Code::kInvalid, "a pod needs a name", "metadata.name");
  const auto spec_object = object_field(&object, "spec", "");
  if (!spec_object) return std::unexpected(spec_object.error());
  if (*spec_object == nullptr) return fail(Code::kInvalid, "a pod needs a spec", "spec");
  const json::Document& spec = **spec_object;
  auto requests = effective_request(spec, status, "spec");
  if (!requests) return std::unexpected(requests.error());
  auto shape = read_pod_spec(spec, json::member(metadata, "labels"), "spec");
  if (!shape) return std::unexpected(shape.error());
  pod.requests = std::move(*requests);
  pod.host_ports = std::move(shape->host_ports);
  pod.node_name = std::move(shape->node_name);
  pod.phase = read_phase(status);
  const json::Document* deletion = json::member(metadata, "deletionTimestamp");
  pod.terminating = deletion != nullptr && !deletion->is_null();
  pod.labels = keep(json::member(metadata, "labels"), kLabelPrefixes);
  pod.annotations = keep(json::member(metadata, "annotations"), kAnnotationPrefixes);
  pod.created = read_timestamp(json::member(metadata, "creationTimestamp"));
  read_owners(json::member(metadata, "ownerReferences"), pod);
  read_gates(json::member(&spec, "schedulingGates"), pod);
  return pod;
}

}  // namespace toposeg::kube
