// The scheduler's node filters on plain records, each a pure function (KEP-3838 semantics for node affinity).
#pragma once

#include "common/kube/records.h"

namespace toposeg::kube {

// All six operators. NotIn and DoesNotExist hold for a missing label; Gt and Lt need one integer on each
// side.
[[nodiscard]] bool matches(const NodeExpression& expression, const StringMap& labels);

// nodeSelector and required node affinity.
[[nodiscard]] bool matches_selector(const PodSpec& pod, const Node& node);
[[nodiscard]] bool matches_affinity(const PodSpec& pod, const Node& node);

// The first NoSchedule or NoExecute taint of the node that the pod does not tolerate, or nullptr. The taints
// that the cordon and the node controller set (node.kubernetes.io/unschedulable, /not-ready, /unreachable)
// count like any other.
[[nodiscard]] const Taint* untolerated_taint(const PodSpec& pod, const Node& node);

// node.kubernetes.io/unreachable, node.cloudprovider.kubernetes.io/shutdown: set and taken away by Kubernetes
// itself as a node's health changes. Other taints say for whom a node is meant.
[[nodiscard]] bool tells_of_health(const Taint& taint);

// True when the node is cordoned and the pod does not tolerate node.kubernetes.io/unschedulable:NoSchedule.
[[nodiscard]] bool cordoned_for(const PodSpec& pod, const Node& node);

// True when a wanted port is taken: same port and protocol, and the same address or either one 0.0.0.0.
[[nodiscard]] bool ports_conflict(const std::vector<HostPort>& wanted, const std::vector<HostPort>& taken);

// `key=value:Effect`, `key:Effect` with an empty value.
[[nodiscard]] std::string to_text(const Taint& taint);

}  // namespace toposeg::kube
