// What a pod says about its own place: annotations for tools and people, and a label for `kubectl get pods
// -L`.
#pragma once

#include "common/json/edit.h"
#include "engine/placement/engine.h"

namespace toposeg::webhook {

// Segment index (annotation and label), domain as a JSON array, level, nominal host, and the reason of a pod
// that waits. Parts that the decision does not have are not written; a reason left from an earlier pass is
// taken away once the pod is placed. False when the metadata cannot be edited.
[[nodiscard]] bool describe_place(json::Edit& edit, const engine::PodDecision& decision);

}  // namespace toposeg::webhook
