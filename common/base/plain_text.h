// Text that is safe to show as it is, on one line.
#pragma once

#include <string_view>

#include "common/base/text.h"

namespace toposeg {

// Valid UTF-8 without control characters. O(text).
[[nodiscard]] inline bool is_plain_text(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (bytes == 0 || first < 0x20 || first == 0x7f) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace toposeg
