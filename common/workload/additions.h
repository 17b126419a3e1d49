// What a workload's object gets written: keys that its pods need, and the label that sends them to the pods
// hook.
#pragma once

#include <vector>

#include "common/workload/automatic.h"

namespace toposeg::workload {

// Only absent keys; the root's first, then the worker template's, then labels. Empty when the workload asks
// nothing.
[[nodiscard]] std::vector<Addition> additions_for(const json::Document& object, const Manifest& manifest,
                                                  const Workload& workload, const Automatic& automatic);

}  // namespace toposeg::workload
