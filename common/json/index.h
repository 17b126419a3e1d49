// Array indices of JSON Pointers (RFC 6901 section 4): decimal digits without a leading zero. "-", signs and
// anything too large for a container are no index.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace toposeg::json {

[[nodiscard]] std::optional<std::size_t> parse_index(std::string_view token);

}  // namespace toposeg::json
