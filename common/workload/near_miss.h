// Keys that are nearly ours: shortened, with another separator or letter case, a typing slip, or without
// their prefix.
#pragma once

#include <optional>
#include <string_view>

#include "common/workload/findings.h"
#include "common/workload/kinds/kind.h"

namespace toposeg::workload {

// The key that `written` most probably means; none when it is a key of ours itself, or of another product.
// Pure; O(length of the key).
[[nodiscard]] std::optional<std::string_view> meant_key(std::string_view written);

// A warning for each near miss, with the right key.
void warn_of_near_misses(const json::Document& object, const Manifest& manifest, Findings& findings);

}  // namespace toposeg::workload
