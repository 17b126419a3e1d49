// The scheduling gate of a pod whose segment has no domain now: it is created, but the scheduler does not see
// it yet.
#pragma once

#include "common/json/edit.h"

namespace toposeg::webhook {

// Adds the gate unless it is there. False when the pod's spec cannot be edited.
[[nodiscard]] bool close_gate(json::Edit& edit);

// Takes the gate away where it is, as an earlier pass over a pod that is placed by now left it. False as
// above.
[[nodiscard]] bool open_gate(json::Edit& edit);

}  // namespace toposeg::webhook
