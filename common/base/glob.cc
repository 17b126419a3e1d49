#include "common/base/glob.h"

#include <algorithm>
#include <cstddef>

#include "common/base/text.h"

namespace toposeg {

namespace {

std::size_t next(std::string_view text, std::size_t at) {
  return at + std::max<std::size_t>(character_bytes(text.substr(at)), 1);
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t after_star = std::string_view::npos;  // in the pattern
  std::size_t star_end = 0;                         // in the text: where the last * stops for now
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      star_end = t;
    } else if (p < pattern.size() && pattern[p] == '?') {
      ++p;
      t = next(text, t);
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (after_star != std::string_view::npos) {
      p = after_star;
      t = star_end = next(text, star_end);
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace toposeg
