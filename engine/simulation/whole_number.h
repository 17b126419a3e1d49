// Whole numbers as people write them.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace toposeg::simulation {

// Digits only: none for a sign, anything else beside them, nothing at all, and more than 64 bits.
[[nodiscard]] inline std::optional<std::int64_t> whole_number(std::string_view text) {
  if (text.empty() || text.front() == '-') return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool all = error == std::errc() && end == text.data() + text.size();
  return all ? std::optional(number) : std::nullopt;
}

}  // namespace toposeg::simulation
