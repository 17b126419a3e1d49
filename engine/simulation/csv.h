// One line of comma-separated values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"

namespace toposeg::simulation {

// Values in "double quotes" may hold commas, and "" for a quote; no value holds a line break. Blanks around
// a value do not count. kInvalid when a quote is not closed, or something stands after it.
[[nodiscard]] Result<std::vector<std::string>> split_csv(std::string_view line);

// The value as it is written: in quotes where it needs them. A line break becomes a blank.
[[nodiscard]] std::string csv_value(std::string_view value);

// A whole line with its line break.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& values);

}  // namespace toposeg::simulation
