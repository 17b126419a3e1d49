// Topologies and plans as scenes for engine/picture.
#pragma once

#include <span>
#include <vector>

#include "engine/cli/planned_workload.h"
#include "engine/cli/session.h"
#include "engine/picture/scene.h"
#include "engine/placement/engine.h"

namespace toposeg::cli {

// The whole topology with nobody of ours on it.
[[nodiscard]] picture::Scene topology_scene(const engine::TopologyView& view, Session& session);

// One scene for each topology that a plan uses; every topology when none does.
[[nodiscard]] std::vector<picture::Scene> plan_scenes(std::span<const PlannedWorkload> workloads,
                                                      Session& session);

}  // namespace toposeg::cli
