// Plans the groups of one workload together: one joint question, one answer, then every group takes its part.
#pragma once

#include <vector>

#include "engine/placement/engine.h"
#include "engine/placement/group_planner.h"
#include "engine/placement/scope.h"

namespace toposeg::engine {

// One scope a group, all of one workload and tree. True when planning the groups one by one would leave
// something to chance: there are several, or one of them needs it by itself. O(seats).
[[nodiscard]] bool needs_joint_plan(Desk& desk, const std::vector<Scope>& scopes);

// False when there are too many segments for one question, or when pods have begun that keep their like away
// from a level: the question knows only what it places itself.
[[nodiscard]] bool can_plan_jointly(const Desk& desk, const std::vector<Scope>& scopes);

// Into plan: groups, objective, fits, proven and gap. The ledger's owner must be settled before. Living pods
// stay where they are; seats that are only planned are given back first.
void plan_jointly(Desk& desk, const std::vector<Scope>& scopes, Plan& plan);

}  // namespace toposeg::engine
