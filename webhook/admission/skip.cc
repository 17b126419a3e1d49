#include "webhook/admission/skip.h"

#include <algorithm>
#include <array>

#include "common/json/pointer.h"

namespace toposeg::webhook {
namespace {

using json::Document;

constexpr std::array<std::string_view, 3> kSystemNamespaces = {"kube-system", "kube-public",
                                                               "kube-node-lease"};
constexpr std::string_view kMirrorAnnotation = "kubernetes.io/config.mirror";
constexpr std::string_view kKueueGate = "kueue.x-k8s.io/topology";
constexpr std::array<std::string_view, 3> kKueueAnnotations = {
    "kueue.x-k8s.io/podset-required-topology", "kueue.x-k8s.io/podset-preferred-topology",
    "kueue.x-k8s.io/podset-unconstrained-topology"};

bool excluded(const std::string& namespace_, const config::PodConfig& config) {
  const auto has = [&](const auto& list) {
    return std::find(list.begin(), list.end(), namespace_) != list.end();
  };
  return has(kSystemNamespaces) || has(config.excluded_namespaces) || namespace_ == config.own_namespace;
}

bool other_scheduler(const Document* spec, const config::PodConfig& config) {
  const std::string* name = json::text(json::member(spec, "schedulerName"));
  if (name == nullptr || name->empty()) return false;
  const auto& ours = config.scheduler_names;
  if (ours.empty()) return *name != "default-scheduler";
  return std::find(ours.begin(), ours.end(), *name) == ours.end();
}

bool kueue_places(const Document* spec, const Document* annotations) {
  for (const std::string_view key : kKueueAnnotations) {
    if (json::member(annotations, key) != nullptr) return true;
  }
  const Document* gates = json::member(spec, "schedulingGates");
  if (gates == nullptr || !gates->is_array()) return false;
  return std::any_of(gates->begin(), gates->end(), [](const Document& gate) {
    const std::string* name = json::text(json::member(&gate, "name"));
    return name != nullptr && *name == kKueueGate;
  });
}

}  // namespace

std::string_view name_of(SkipReason reason) {
  switch (reason) {
    case SkipReason::kNamespace:
      return "namespace";
    case SkipReason::kMirror:
      return "mirror_pod";
    case SkipReason::kNodeName:
      return "node_name";
    case SkipReason::kSchedulerName:
      return "scheduler_name";
    case SkipReason::kKueue:
      return "kueue";
    case SkipReason::kNotMember:
      return "not_a_member";
    case SkipReason::kNoInputs:
      return "no_inputs";
    case SkipReason::kGone:
      return "workload_gone";
  }
  return "other";
}

std::optional<SkipReason> reason_to_skip(const Document& pod, const std::string& namespace_,
                                         const config::PodConfig& config) {
  const Document* spec = json::member(&pod, "spec");
  const Document* annotations = json::member(json::member(&pod, "metadata"), "annotations");
  if (excluded(namespace_, config)) return SkipReason::kNamespace;
  if (json::member(annotations, kMirrorAnnotation) != nullptr) return SkipReason::kMirror;
  const std::string* node = json::text(json::member(spec, "nodeName"));
  if (node != nullptr && !node->empty()) return SkipReason::kNodeName;
  if (other_scheduler(spec, config)) return SkipReason::kSchedulerName;
  if (kueue_places(spec, annotations)) return SkipReason::kKueue;
  return std::nullopt;
}

}  // namespace toposeg::webhook
