// The words that stand for how things are, the same in every output form.
#pragma once

#include <string>
#include <string_view>

#include "engine/cli/workload_status.h"

namespace toposeg::cli {

[[nodiscard]] std::string_view word(Standing standing);  // placed | apart | waiting
[[nodiscard]] std::string_view word(PodState state);     // bound | gated | unscheduled | failed | missing

}  // namespace toposeg::cli
