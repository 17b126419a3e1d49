// What every hook is given, and the hooks. Each is one file with this one verb; none throws on bad input, and
// none changes the engine on a dry run.
#pragma once

#include <chrono>

#include "common/base/clock.h"
#include "common/config/config.h"
#include "common/json/edit.h"
#include "engine/placement/engine.h"
#include "webhook/admission/metrics.h"
#include "webhook/admission/review.h"

namespace toposeg::webhook {

struct HookContext {
  engine::Engine& engine;
  const config::Config& config;
  Metrics& metrics;
  const Clock& clock;
  std::chrono::milliseconds timeout;  // what is left of the caller's patience
};

// CREATE and UPDATE of the workload kinds: faults are denied with their field paths; what is resolved is
// written on the object, the plan is made and its space reserved.
[[nodiscard]] Verdict review_workload(const Review& review, const HookContext& context);

// CREATE of pods: the place of its segment as node affinity. Never denied, except where the configuration
// says that a pod without room is refused. Takes the object out of the review: most reviews are of pods, and
// a copy of one is a tenth of what they cost.
[[nodiscard]] Verdict review_pod(Review& review, const HookContext& context);

// CREATE and UPDATE of topologies: a broken level list is denied. Never a patch.
[[nodiscard]] Verdict review_topology(const Review& review, const HookContext& context);

// The end of every hook that writes: takes the edit's operations into the verdict once they are proved. An
// edit that could not be made (`edited` false) or proved becomes a warning and a counter, and no patch.
void take_patch(const json::Edit& edit, bool edited, Metrics& metrics, Verdict& verdict);

}  // namespace toposeg::webhook
