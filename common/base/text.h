// Words for messages: values shown safely, near misses found, lists joined, lines kept short.
//
//   "got " + quote(value) + "; did you mean " + quote(*nearest(value, known))
//
// Everything here is pure and thread safe, and takes any bytes: what is not valid UTF-8 is shown escaped.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace toposeg {

// The value in double quotes, for people. Quotes, backslashes, control characters and bytes that are no UTF-8
// are escaped (\" \\ \n \x1b \xff). Of a value longer than `limit` characters the beginning is shown, then
// "…" and its size in bytes: a message stays readable whatever was sent. O(limit).
[[nodiscard]] std::string quote(std::string_view value, std::size_t limit = 80);

// Appends the value as a JSON string with its quotes. Bytes that are no UTF-8 become U+FFFD, so the result is
// always valid JSON. O(value).
void append_json_string(std::string& out, std::string_view value);

// At most `characters` code points: a longer text is cut before a code point and ends in "…". 0 gives "".
[[nodiscard]] std::string truncated(std::string_view text, std::size_t characters);

// Number of code points; a byte that is no UTF-8 counts as one.
[[nodiscard]] std::size_t count_characters(std::string_view text);

// Bytes of the code point at the front of `text`: 1 to 4; 0 when it is not valid UTF-8 (overlong forms,
// surrogates and values past U+10FFFF are not) or `text` is empty.
[[nodiscard]] std::size_t character_bytes(std::string_view text);

// O(text).
[[nodiscard]] bool is_utf8(std::string_view text);

// Insertions, deletions, replacements and swaps of neighbours (bytes) between two words, or limit + 1 when
// there are more. O(a * b), and O(1) when their lengths alone differ by more than the limit.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

// The candidate that `word` most probably meant: letter case and the separators - _ . / are forgiven, then a
// third of the word may differ. The first of equally near ones; none when nothing is near.
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view word,
                                                      std::span<const std::string_view> candidates);
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view word,
                                                      std::span<const std::string> candidates);

// ` (did you mean "x"?)`, or nothing when no candidate is near.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

[[nodiscard]] std::string join(std::span<const std::string> parts, std::string_view separator);
[[nodiscard]] std::string join(std::span<const std::string_view> parts, std::string_view separator);

}  // namespace toposeg
