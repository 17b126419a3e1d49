// Text for the person at the terminal. kubectl prints each warning of a review on a line of its own; the API
// server cuts long ones, so a long text becomes several lines here, broken where a reader would break it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace toposeg::webhook {

inline constexpr std::size_t kWarningLength = 120;  // bytes of one warning
inline constexpr std::size_t kWarningCount = 24;    // warnings of one review

// Appends `text` in lines of at most kWarningLength bytes. Control characters become blanks, UTF-8 sequences
// stay whole, and what the text is about ("segment 3: ") stands before each of its lines. Beyond
// kWarningCount lines nothing is added any more. Linear time.
void warn(std::vector<std::string>& into, std::string_view text);

}  // namespace toposeg::webhook
