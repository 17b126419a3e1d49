// Whether an UPDATE changed anything that a plan depends on.
#pragma once

#include "common/workload/normalise.h"

namespace toposeg::webhook {

// True when the two readings differ in what was asked (sizes, counts, levels, topology, mode), in their
// faults, in what has to be added (an UPDATE that dropped our keys), or when the workload is no longer
// suspended. Pod specs and uids do not count. Both readings are of the same requester.
[[nodiscard]] bool inputs_changed(const workload::Normalised& before, const workload::Normalised& after);

}  // namespace toposeg::webhook
