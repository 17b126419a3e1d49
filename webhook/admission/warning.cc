#include "webhook/admission/warning.h"

#include <algorithm>

namespace toposeg::webhook {
namespace {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// "group 3: segment 2: " at the beginning of a text: what each of its lines is about.
std::string_view subject(std::string_view text) {
  const std::string_view digits = "0123456789";
  std::size_t end = 0;
  for (const std::string_view word : {"group ", "segment "}) {
    if (!text.substr(end).starts_with(word)) continue;
    const std::size_t colon = text.find_first_not_of(digits, end + word.size());
    if (colon == std::string_view::npos || !text.substr(colon).starts_with(": ")) break;
    end = colon + 2;
  }
  return text.substr(0, end);
}

// Where to end a line of at most `length` bytes: after "; ", else after ", ", else after a blank, else
// anywhere between two characters.
std::size_t line_end(std::string_view text, std::size_t length) {
  if (text.size() <= length) return text.size();
  const std::string_view head = text.substr(0, length);
  for (const std::string_view separator : {"; ", ", ", " "}) {
    const std::size_t found = head.rfind(separator);
    if (found != std::string_view::npos && found >= length / 3) return found + separator.size();
  }
  std::size_t end = length;
  while (end > 1 && continues_character(text[end])) --end;
  return end;
}

}  // namespace

void warn(std::vector<std::string>& into, std::string_view text) {
  std::string clean(text);
  std::replace_if(
      clean.begin(), clean.end(),
      [](char byte) { return static_cast<unsigned char>(byte) < 0x20U || byte == 0x7F; }, ' ');
  const std::vector<std::string> before = into;
  const std::string_view about = subject(clean);
  std::string_view rest = std::string_view(clean).substr(about.size());
  while (!rest.empty() && into.size() < kWarningCount) {
    const std::size_t end = line_end(rest, kWarningLength - about.size());
    std::string line = std::string(about) + std::string(rest.substr(0, end));
    while (!line.empty() && line.back() == ' ') line.pop_back();
    const bool repeated = std::find(before.begin(), before.end(), line) != before.end();
    if (!line.empty() && !repeated) into.push_back(std::move(line));
    rest.remove_prefix(end);
  }
}

}  // namespace toposeg::webhook
