// Shell-like patterns with * (any characters, also none) and ? (one character); everything else stands for
// itself. The whole text has to match: "kubectl*" does not match "my-kubectl".
#pragma once

#include <string_view>

namespace toposeg {

// Looks back at the last * only, so a hostile text costs at most pattern * text steps and no stack: linear in
// the text for the patterns of a configuration. A character is a UTF-8 code point, or a byte where there is
// no valid one. Pure, thread safe.
[[nodiscard]] bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace toposeg
