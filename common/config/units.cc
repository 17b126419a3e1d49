#include "common/config/units.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace toposeg::config {

namespace {

constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kTimeUnits = {
    {{"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};
constexpr std::array<std::pair<std::string_view, std::uint64_t>, 4> kSizeUnits = {
    {{"Gi", 1ULL << 30U}, {"Mi", 1ULL << 20U}, {"Ki", 1ULL << 10U}, {"", 1}}};
constexpr std::int64_t kLongest = 10LL * 365 * 24 * 3'600'000;

// Takes the digits and then the letters at the front of `text`.
template <typename Number>
std::optional<std::pair<Number, std::string_view>> take_part(std::string_view& text) {
  Number number{};
  const bool digit_first = !text.empty() && text.front() >= '0' && text.front() <= '9';
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (!digit_first || error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  const std::string_view unit = text.substr(0, text.find_first_of("0123456789"));
  text.remove_prefix(unit.size());
  return std::pair(number, unit);
}

}  // namespace

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  if (text == "0") return std::chrono::milliseconds(0);
  if (text.empty()) return std::nullopt;
  std::int64_t total = 0;
  std::size_t next_unit = 0;
  while (!text.empty()) {
    const auto part = take_part<std::int64_t>(text);
    if (!part) return std::nullopt;
    while (next_unit < kTimeUnits.size() && kTimeUnits.at(next_unit).first != part->second) ++next_unit;
    if (next_unit == kTimeUnits.size()) return std::nullopt;
    const std::int64_t unit = kTimeUnits.at(next_unit++).second;
    if (part->first > (kLongest - total) / unit) return std::nullopt;
    total += part->first * unit;
  }
  return std::chrono::milliseconds(total);
}

std::string print_duration(std::chrono::milliseconds duration) {
  std::int64_t rest = duration.count();
  if (rest == 0) return "0s";
  std::string out;
  for (const auto& [unit, milliseconds] : kTimeUnits) {
    if (rest >= milliseconds) out += fmt::format("{}{}", rest / milliseconds, unit);
    rest %= milliseconds;
  }
  return out;
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
  const auto part = take_part<std::uint64_t>(text);
  if (!part || !text.empty()) return std::nullopt;
  for (const auto& [unit, bytes] : kSizeUnits) {
    if (unit != part->second) continue;
    if (part->first > std::numeric_limits<std::uint64_t>::max() / bytes) return std::nullopt;
    return part->first * bytes;
  }
  return std::nullopt;
}

std::string print_size(std::uint64_t bytes) {
  for (const auto& [unit, unit_bytes] : kSizeUnits) {
    if (bytes >= unit_bytes && bytes % unit_bytes == 0) return fmt::format("{}{}", bytes / unit_bytes, unit);
  }
  return "0";
}

}  // namespace toposeg::config
