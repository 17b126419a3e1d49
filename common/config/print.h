// One value of the configuration as it stands in the file: "9443", "5m", "\"0.0.0.0\"", "[]".
#pragma once

#include <string>

#include "common/config/schema.h"

namespace toposeg::config {

// Scalars and lists of texts in one line. Lists of rules and pools, which take several lines, give "[]" when
// empty and
// "" otherwise.
[[nodiscard]] std::string print_value(const Field& field);

}  // namespace toposeg::config
