// Values of command-line options. A wrong one is answered with the value and what would be right; CLI11 puts
// the option's name before it.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace toposeg::options {

// Digits only, without leading zeros. 0 <= least <= most.
[[nodiscard]] CLI::Validator is_whole_number(std::int64_t least,
                                             std::int64_t most = std::numeric_limits<int>::max());

// Nothing that is not finite.
[[nodiscard]] CLI::Validator is_number(double least, double most);

[[nodiscard]] CLI::Validator is_one_of(std::vector<std::string> words);

}  // namespace toposeg::options
