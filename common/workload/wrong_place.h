// Keys in a place where they have no effect.
#pragma once

#include "common/workload/findings.h"
#include "common/workload/kinds/kind.h"

namespace toposeg::workload {

// A warning for each: segment keys on the root, workload keys on a template, any key on a Master or leader
// template.
void warn_of_wrong_places(const json::Document& object, const Manifest& manifest, Findings& findings);

}  // namespace toposeg::workload
