#include "common/kube/protobuf_messages.h"

#include <array>

namespace toposeg::kube {

namespace {

using enum WireKind;

// Read for being there, not for what it holds.
constexpr WireMessage kAnything{};

constexpr std::array kOwnerReferenceFields{WireName{1, "kind", kText}, WireName{3, "name", kText},
                                           WireName{4, "uid", kText}, WireName{5, "apiVersion", kText},
                                           WireName{6, "controller", kFlag}};
constexpr WireMessage kOwnerReference{kOwnerReferenceFields};

constexpr std::array kObjectMetaFields{WireName{1, "name", kText},
                                       WireName{3, "namespace", kText},
                                       WireName{5, "uid", kText},
                                       WireName{6, "resourceVersion", kText},
                                       WireName{8, "creationTimestamp", kTime},
                                       WireName{9, "deletionTimestamp", kTime},
                                       WireName{11, "labels", kTextMap},
                                       WireName{12, "annotations", kTextMap},
                                       WireName{13, "ownerReferences", kMessages, &kOwnerReference}};
constexpr WireMessage kObjectMeta{kObjectMetaFields};

constexpr std::array kResourceFields{WireName{1, "limits", kQuantities},
                                     WireName{2, "requests", kQuantities}};
constexpr WireMessage kResources{kResourceFields};

constexpr std::array kPortFields{WireName{2, "hostPort", kInteger}, WireName{3, "containerPort", kInteger},
                                 WireName{4, "protocol", kText}, WireName{5, "hostIP", kText}};
constexpr WireMessage kPort{kPortFields};

constexpr std::array kContainerFields{WireName{1, "name", kText}, WireName{6, "ports", kMessages, &kPort},
                                      WireName{8, "resources", kMessage, &kResources},
                                      WireName{24, "restartPolicy", kText}};
constexpr WireMessage kContainer{kContainerFields};

// Node selectors and label selectors have the same expressions.
constexpr std::array kExpressionFields{WireName{1, "key", kText}, WireName{2, "operator", kText},
                                       WireName{3, "values", kTexts}};
constexpr WireMessage kExpression{kExpressionFields};

constexpr std::array kNodeTermFields{WireName{1, "matchExpressions", kMessages, &kExpression},
                                     WireName{2, "matchFields", kMessages, &kExpression}};
constexpr WireMessage kNodeTerm{kNodeTermFields};
constexpr std::array kNodeSelectorFields{WireName{1, "nodeSelectorTerms", kMessages, &kNodeTerm}};
constexpr WireMessage kNodeSelector{kNodeSelectorFields};
constexpr std::array kNodeAffinityFields{
    WireName{1, "requiredDuringSchedulingIgnoredDuringExecution", kMessage, &kNodeSelector}};
constexpr WireMessage kNodeAffinity{kNodeAffinityFields};

constexpr std::array kLabelSelectorFields{WireName{1, "matchLabels", kTextMap},
                                          WireName{2, "matchExpressions", kMessages, &kExpression}};
constexpr WireMessage kLabelSelector{kLabelSelectorFields};
constexpr std::array kPodTermFields{WireName{1, "labelSelector", kMessage, &kLabelSelector},
                                    WireName{2, "namespaces", kTexts},
                                    WireName{3, "topologyKey", kText},
                                    WireName{4, "namespaceSelector", kMessage, &kLabelSelector},
                                    WireName{5, "matchLabelKeys", kTexts},
                                    WireName{6, "mismatchLabelKeys", kTexts}};
constexpr WireMessage kPodTerm{kPodTermFields};
constexpr std::array kPodAffinityFields{
    WireName{1, "requiredDuringSchedulingIgnoredDuringExecution", kMessages, &kPodTerm}};
constexpr WireMessage kPodAffinity{kPodAffinityFields};

constexpr std::array kAffinityFields{WireName{1, "nodeAffinity", kMessage, &kNodeAffinity},
                                     WireName{2, "podAffinity", kMessage, &kPodAffinity},
                                     WireName{3, "podAntiAffinity", kMessage, &kPodAffinity}};
constexpr WireMessage kAffinity{kAffinityFields};

constexpr std::array kTolerationFields{WireName{1, "key", kText}, WireName{2, "operator", kText},
                                       WireName{3, "value", kText}, WireName{4, "effect", kText}};
constexpr WireMessage kToleration{kTolerationFields};

constexpr std::array kVolumeSourceFields{WireName{10, "persistentVolumeClaim", kMessage, &kAnything},
                                         WireName{29, "ephemeral", kMessage, &kAnything}};
constexpr WireMessage kVolumeSource{kVolumeSourceFields};
constexpr std::array kVolumeFields{WireName{1, "name", kText}, WireName{2, {}, kInline, &kVolumeSource}};
constexpr WireMessage kVolume{kVolumeFields};

constexpr std::array kNamedFields{WireName{1, "name", kText}};
constexpr WireMessage kNamed{kNamedFields};

constexpr std::array kPodSpecFields{WireName{1, "volumes", kMessages, &kVolume},
                                    WireName{2, "containers", kMessages, &kContainer},
                                    WireName{7, "nodeSelector", kTextMap},
                                    WireName{10, "nodeName", kText},
                                    WireName{11, "hostNetwork", kFlag},
                                    WireName{18, "affinity", kMessage, &kAffinity},
                                    WireName{19, "schedulerName", kText},
                                    WireName{20, "initContainers", kMessages, &kContainer},
                                    WireName{22, "tolerations", kMessages, &kToleration},
                                    WireName{32, "overhead", kQuantities},
                                    WireName{38, "schedulingGates", kMessages, &kNamed},
                                    WireName{39, "resourceClaims", kMessages, &kNamed},
                                    WireName{40, "resources", kMessage, &kResources}};
constexpr WireMessage kPodSpec{kPodSpecFields};

constexpr std::array kContainerStatusFields{WireName{1, "name", kText},
                                            WireName{10, "allocatedResources", kQuantities},
                                            WireName{11, "resources", kMessage, &kResources}};
constexpr WireMessage kContainerStatus{kContainerStatusFields};
constexpr std::array kPodStatusFields{WireName{1, "phase", kText},
                                      WireName{8, "containerStatuses", kMessages, &kContainerStatus},
                                      WireName{10, "initContainerStatuses", kMessages, &kContainerStatus}};
constexpr WireMessage kPodStatus{kPodStatusFields};

constexpr std::array kPodFields{WireName{1, "metadata", kMessage, &kObjectMeta},
                                WireName{2, "spec", kMessage, &kPodSpec},
                                WireName{3, "status", kMessage, &kPodStatus}};
constexpr WireMessage kPod{kPodFields};

constexpr std::array kTaintFields{WireName{1, "key", kText}, WireName{2, "value", kText},
                                  WireName{3, "effect", kText}};
constexpr WireMessage kTaint{kTaintFields};
constexpr std::array kNodeSpecFields{WireName{4, "unschedulable", kFlag},
                                     WireName{5, "taints", kMessages, &kTaint}};
constexpr WireMessage kNodeSpec{kNodeSpecFields};
constexpr std::array kConditionFields{WireName{1, "type", kText}, WireName{2, "status", kText}};
constexpr WireMessage kCondition{kConditionFields};
constexpr std::array kNodeStatusFields{WireName{2, "allocatable", kQuantities},
                                       WireName{4, "conditions", kMessages, &kCondition}};
constexpr WireMessage kNodeStatus{kNodeStatusFields};
constexpr std::array kNodeFields{WireName{1, "metadata", kMessage, &kObjectMeta},
                                 WireName{2, "spec", kMessage, &kNodeSpec},
                                 WireName{3, "status", kMessage, &kNodeStatus}};
constexpr WireMessage kNode{kNodeFields};

constexpr std::array kCauseFields{WireName{1, "reason", kText}, WireName{2, "message", kText},
                                  WireName{3, "field", kText}};
constexpr WireMessage kCause{kCauseFields};
constexpr std::array kDetailsFields{WireName{1, "name", kText}, WireName{2, "group", kText},
                                    WireName{3, "kind", kText}, WireName{4, "causes", kMessages, &kCause},
                                    WireName{5, "retryAfterSeconds", kInteger}};
constexpr WireMessage kDetails{kDetailsFields};
constexpr std::array kStatusFields{WireName{2, "status", kText}, WireName{3, "message", kText},
                                   WireName{4, "reason", kText}, WireName{5, "details", kMessage, &kDetails},
                                   WireName{6, "code", kInteger}};
constexpr WireMessage kStatus{kStatusFields};

}  // namespace

const WireMessage* message_of_kind(std::string_view kind) {
  if (kind == "Pod") return &kPod;
  if (kind == "Node") return &kNode;
  if (kind == "Status") return &kStatus;
  return nullptr;
}

}  // namespace toposeg::kube
