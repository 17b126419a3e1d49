#include "common/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace toposeg {

namespace {

constexpr std::string_view kEllipsis = "…";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

std::uint8_t byte_at(std::string_view text, std::size_t index) {
  return static_cast<std::uint8_t>(text[index]);
}

bool is_control(std::uint8_t byte) { return byte < 0x20 || byte == 0x7F; }

// C1 controls (U+0080 to U+009F) move cursors on some terminals just like the C0 ones.
bool is_control_pair(std::string_view character) {
  return character.size() == 2 && byte_at(character, 0) == 0xC2 && byte_at(character, 1) < 0xA0;
}

void append_escaped(std::string& out, std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i)
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte_at(bytes, i));
}

void append_shown(std::string& out, std::string_view character) {
  switch (character[0]) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (is_control(byte_at(character, 0)) || is_control_pair(character)) {
    append_escaped(out, character);
  } else {
    out += character;
  }
}

// What a typing mistake leaves alone: letters and digits in one case.
std::string skeleton(std::string_view word) {
  std::string out;
  for (const char c : word) {
    if (c == '-' || c == '_' || c == '.' || c == '/') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

template <typename Text>
std::optional<std::string_view> nearest_of(std::string_view word, std::span<const Text> candidates) {
  constexpr std::size_t kLongestWord = 256;
  if (word.size() > kLongestWord) return std::nullopt;
  const std::string wanted = skeleton(word);
  std::optional<std::string_view> best;
  std::size_t limit = wanted.size() / 3;
  for (const Text& candidate : candidates) {
    const std::size_t distance = edit_distance(wanted, skeleton(candidate), limit);
    if (distance > limit || (best && distance == limit)) continue;
    best = candidate;
    limit = distance;
  }
  return best;
}

template <typename Text>
std::string join_of(std::span<const Text> parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

}  // namespace

std::size_t character_bytes(std::string_view text) {
  if (text.empty()) return 0;
  const std::uint8_t lead = byte_at(text, 0);
  if (lead < 0x80) return 1;
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte_at(text, i) & 0xC0U) != 0x80) return 0;
  }
  const std::uint8_t second = byte_at(text, 1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second >= 0xA0;
  const bool too_large = lead == 0xF4 && second >= 0x90;
  return overlong || surrogate || too_large ? 0 : size;
}

std::string quote(std::string_view value, std::size_t limit) {
  std::string out = "\"";
  std::string_view rest = value;
  for (std::size_t shown = 0; !rest.empty() && shown < limit; ++shown) {
    const std::size_t bytes = character_bytes(rest);
    if (bytes == 0) {
      append_escaped(out, rest.substr(0, 1));
    } else {
      append_shown(out, rest.substr(0, bytes));
    }
    rest.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  if (rest.empty()) return out + '"';
  return fmt::format("{}{}\" ({} bytes)", out, kEllipsis, value.size());
}

void append_json_string(std::string& out, std::string_view value) {
  out += '"';
  while (!value.empty()) {
    const std::size_t bytes = character_bytes(value);
    const std::string_view character = value.substr(0, std::max<std::size_t>(bytes, 1));
    if (bytes == 0) {
      out += kReplacement;
    } else if (character == "\"" || character == "\\") {
      out += '\\';
      out += character;
    } else if (is_control(byte_at(character, 0))) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte_at(character, 0));
    } else {
      out += character;
    }
    value.remove_prefix(character.size());
  }
  out += '"';
}

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(std::max<std::size_t>(character_bytes(text), 1));
  return count;
}

std::string truncated(std::string_view text, std::size_t characters) {
  if (characters == 0) return {};
  std::size_t kept = 0;  // bytes of all but the last character that may stay
  std::string_view rest = text;
  for (std::size_t count = 0; !rest.empty(); ++count) {
    if (count == characters) return std::string(text.substr(0, kept)) + std::string(kEllipsis);
    if (count + 1 == characters) kept = text.size() - rest.size();
    rest.remove_prefix(std::max<std::size_t>(character_bytes(rest), 1));
  }
  return std::string(text);
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() < b.size()) std::swap(a, b);
  if (a.size() - b.size() > limit) return limit + 1;
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> rows(3 * width);  // the row in work and the two before it, in turn
  const auto row = [&](std::size_t i) { return rows.begin() + static_cast<std::ptrdiff_t>((i % 3) * width); };
  std::iota(row(0), row(0) + static_cast<std::ptrdiff_t>(width), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const auto here = row(i);
    const auto above = row(i - 1);
    here[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto at = static_cast<std::ptrdiff_t>(j);
      const std::size_t replaced = above[at - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      here[at] = std::min({above[at] + 1, here[at - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) here[at] = std::min(here[at], row(i - 2)[at - 2] + 1);
    }
  }
  return std::min(row(a.size())[static_cast<std::ptrdiff_t>(b.size())], limit + 1);
}

std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates) {
  return nearest_of(word, candidates);
}

std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string> candidates) {
  return nearest_of(word, candidates);
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const auto near = nearest(word, candidates);
  return near ? fmt::format(" (did you mean {}?)", quote(*near)) : std::string();
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  return join_of(parts, separator);
}

std::string join(std::span<const std::string_view> parts, std::string_view separator) {
  return join_of(parts, separator);
}

}  // namespace toposeg
