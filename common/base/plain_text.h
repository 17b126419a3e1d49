// Text that is safe to show as it is, on one line.
#pragma once

#include <algorithm>
#include <string_view>

#include "common/base/text.h"

namespace toposeg {

// Valid UTF-8 without control characters. O(text).
[[nodiscard]] inline bool is_plain_text(std::string_view text) {
  const auto steers = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  return is_utf8(text) && std::none_of(text.begin(), text.end(), steers);
}

}  // namespace toposeg
