// One manifest on its way to a Workload: the steps that a workload's own object and a pod have in common.
#pragma once

#include "common/workload/automatic.h"
#include "common/workload/inputs.h"
#include "common/workload/normalise.h"

namespace toposeg::workload {

struct Reading {
  Normalised result;    // without its additions
  Automatic automatic;  // what was filled in
};

// `managed` decides automatic levels. The result's causes are dropped when the user set no key of ours and no
// native field that is there for segments alone: then the object is none of our business.
[[nodiscard]] Reading read_meaning(const json::Document& object, const Manifest& manifest, bool managed,
                                   const NormaliseContext& context, Findings findings);

}  // namespace toposeg::workload
