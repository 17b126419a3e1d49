// Durations and sizes as configuration files write them.
//
//   parse_duration("1h30m");  // 5400000 ms
//   parse_size("7Mi");        // 7340032
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace toposeg::config {

// Whole numbers with the units h, m, s, ms, largest first, each at most once. None for anything else (no
// sign, no fraction, no space, no bare number except 0) and for more than 10 years.
[[nodiscard]] std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

// The shortest text that parse_duration() reads back: 300 s -> "5m", 90 s -> "1m30s".
[[nodiscard]] std::string print_duration(std::chrono::milliseconds duration);

// Bytes: a whole number, alone or with Ki, Mi or Gi. None for anything else and past 64 bits.
[[nodiscard]] std::optional<std::uint64_t> parse_size(std::string_view text);

// The shortest text that parse_size() reads back: 16384 -> "16Ki".
[[nodiscard]] std::string print_size(std::uint64_t bytes);

}  // namespace toposeg::config
