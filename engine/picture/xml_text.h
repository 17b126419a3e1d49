// Text of unknown origin inside XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace toposeg::picture {

// For element content and for attribute values in double quotes. What XML cannot hold (bytes that are no
// UTF-8, control characters) becomes U+FFFD. O(text).
[[nodiscard]] std::string xml_text(std::string_view text);

// The end of a text that has at most `characters` code points, after "…" where something is left out: names
// of neighbours differ in their ends. Fewer than two characters give "".
[[nodiscard]] std::string tail(std::string_view text, std::size_t characters);

}  // namespace toposeg::picture
