// metav1.LabelSelector on a label map.
#pragma once

#include "common/json/pointer.h"

namespace toposeg::kube {

// Whether the selector (matchLabels and matchExpressions, ANDed) selects an object with these labels. An
// absent selector selects nothing, an empty one everything. A malformed one selects nothing: the API server
// refuses it later.
[[nodiscard]] bool selects(const json::Document* selector, const json::Document* labels);

}  // namespace toposeg::kube
