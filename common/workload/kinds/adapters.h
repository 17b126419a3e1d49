// The makers of the adapters, one a file beside this one.
#pragma once

#include <memory>

#include "common/workload/kinds/kind.h"

namespace toposeg::workload {

[[nodiscard]] std::unique_ptr<const Kind> make_pytorchjob();            // kubeflow.org
[[nodiscard]] std::unique_ptr<const Kind> make_leaderworkerset();       // leaderworkerset.x-k8s.io
[[nodiscard]] std::unique_ptr<const Kind> make_distributed_workload();  // run.ai

}  // namespace toposeg::workload
