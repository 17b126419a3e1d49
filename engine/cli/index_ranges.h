// Pod indices in few characters.
#pragma once

#include <string>
#include <vector>

namespace toposeg::cli {

// {0,1,2,3,7} -> "0-3,7"; ascending whatever the order of the input; "<none>" without any.
[[nodiscard]] std::string index_ranges(std::vector<int> indices);

}  // namespace toposeg::cli
