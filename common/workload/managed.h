// Whether a workload is managed, that is, gets levels it did not ask for.
#pragma once

#include "common/workload/kinds/kind.h"
#include "common/workload/normalise.h"

namespace toposeg::workload {

// The verdict of the first rule whose every given field matches; false without one. Annotations are those of
// the root (and of the worker map where that speaks for the whole workload), labels those of the object.
[[nodiscard]] bool is_managed(const json::Document& object, const Manifest& manifest,
                              const NormaliseContext& context);

}  // namespace toposeg::workload
