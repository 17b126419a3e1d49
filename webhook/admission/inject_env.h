// A pod's place as environment variables, for launchers that build their process groups from it.
#pragma once

#include "common/json/edit.h"
#include "engine/placement/engine.h"

namespace toposeg::webhook {

// TOPOSEG_SEGMENT, TOPOSEG_SEGMENT_RANK, TOPOSEG_SEGMENT_SIZE and TOPOSEG_SEGMENTS in every container and
// init container. A variable of the same name that is already there wins. Nothing for a pod in no segment.
// False when a container cannot be edited.
[[nodiscard]] bool inject_env(json::Edit& edit, const engine::PodDecision& decision);

}  // namespace toposeg::webhook
