// The names of taint effects.
#pragma once

#include <string>

#include "common/base/error.h"
#include "common/kube/records.h"

namespace toposeg::kube {

// kInvalid names the three that exist.
[[nodiscard]] Result<TaintEffect> read_taint_effect(const std::string& text, const std::string& where);

}  // namespace toposeg::kube
