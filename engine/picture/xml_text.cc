#include "engine/picture/xml_text.h"

#include <cstddef>

#include "common/base/text.h"

namespace toposeg::picture {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kNonCharacters[] = {"\xEF\xBF\xBE", "\xEF\xBF\xBF"};

bool is_control(unsigned char c) {
  constexpr unsigned char kFirstPrintable = 0x20;
  constexpr unsigned char kDelete = 0x7f;
  return (c < kFirstPrintable && c != '\t' && c != '\n') || c == kDelete;
}

void append_ascii(std::string& out, char c) {
  switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default:
      out += c;
  }
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    const std::string_view character = text.substr(0, bytes == 0 ? 1 : bytes);
    const bool refused = bytes == 0 || (bytes == 1 && is_control(static_cast<unsigned char>(text[0]))) ||
                         character == kNonCharacters[0] || character == kNonCharacters[1];
    if (refused) {
      out += kReplacement;
    } else if (bytes == 1) {
      append_ascii(out, text[0]);
    } else {
      out += character;
    }
    text.remove_prefix(character.size());
  }
  return out;
}

std::string tail(std::string_view text, std::size_t characters) {
  constexpr std::size_t kFewest = 2;
  const std::size_t count = count_characters(text);
  if (count <= characters) return std::string(text);
  if (characters < kFewest) return {};
  for (std::size_t drop = count - (characters - 1); drop > 0; --drop) {
    const std::size_t bytes = character_bytes(text);
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return "…" + std::string(text);
}

}  // namespace toposeg::picture
