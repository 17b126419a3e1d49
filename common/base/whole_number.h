// Whole numbers as people write them.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace toposeg {

// Digits only: none for a sign, anything else beside them, nothing at all, and more than an Int holds.
template <typename Int = std::int64_t>
[[nodiscard]] std::optional<Int> whole_number(std::string_view text) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  Int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool all = error == std::errc() && end == text.data() + text.size();
  return all ? std::optional<Int>(number) : std::nullopt;
}

}  // namespace toposeg
