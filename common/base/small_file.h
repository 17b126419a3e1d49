// Small files that somebody else renews.
#pragma once

#include <string>

#include "common/base/error.h"

namespace toposeg {

// The whole text, at most 1 MiB. kUnavailable or kTooLarge; `where` is the path. Never tells what it read.
[[nodiscard]] Result<std::string> read_small_file(const std::string& path);

// Without white space at both ends.
[[nodiscard]] std::string trimmed(const std::string& text);

}  // namespace toposeg
