// JSON Pointers (RFC 6901) built from unescaped parts. All annotation keys hold a slash, so never join by
// hand.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/json/decode.h"

namespace toposeg::json {

using Path = std::vector<std::string>;  // unescaped reference tokens, array indices as decimal text

[[nodiscard]] std::string escape(std::string_view token);  // ~ -> ~0, / -> ~1
[[nodiscard]] std::string to_pointer(const Path& path);    // {"a","b/c"} -> "/a/b~1c"
[[nodiscard]] std::string to_field(const Path& path);      // for people: a.b[0].c, a["b/c"]

// The parts of a pointer; none when it neither is empty nor starts with a slash, or holds a ~ before anything
// but 0, 1.
[[nodiscard]] std::optional<Path> parse_pointer(std::string_view pointer);

// The value at a path, or nullptr when any part of the way is missing or of another type. O(path).
[[nodiscard]] const Document* at(const Document& root, const Path& path);

// One step of at(): a member of an object or an element of an array, or nullptr.
[[nodiscard]] const Document* step(const Document& value, const std::string& token);

// Convenience: member of an object, or nullptr (also when `value` is null or no object).
[[nodiscard]] const Document* member(const Document* value, std::string_view key);

// Text of a string value, else nullptr.
[[nodiscard]] const std::string* text(const Document* value);

// The text at a path; empty when there is none, or something else.
[[nodiscard]] std::string text_at(const Document& root, const Path& path);

// The text of a member; empty when there is none, or something else, or no object (null too).
[[nodiscard]] std::string member_text(const Document* object, std::string_view key);

}  // namespace toposeg::json
