// The switches of this product on a workload: how firmly preferred levels are written, environment variables.
#pragma once

#include "common/workload/findings.h"
#include "common/workload/kinds/kind.h"

namespace toposeg::workload {

// Sets mode and inject_env of `workload`. A value that is none of the known ones is a cause that lists them.
void read_options(const json::Document& object, const Manifest& manifest, Workload& workload,
                  Findings& findings);

}  // namespace toposeg::workload
