#include "engine/cli/yaml_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <string_view>

namespace toposeg::cli {
namespace {

using nlohmann::ordered_json;

// Words that some YAML reader takes for something else than a text (YAML 1.1 included).
bool is_reserved(std::string text) {
  static constexpr std::array<std::string_view, 10> kWords{"true", "false", "null", "yes", "no",
                                                           "on",   "off",   "y",    "n",   "nan"};
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::find(kWords.begin(), kWords.end(), text) != kWords.end();
}

bool is_plain(const std::string& text) {
  if (text.empty() || std::isalpha(static_cast<unsigned char>(text.front())) == 0 || is_reserved(text))
    return false;
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '/';
  });
}

std::string scalar(const ordered_json& value) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (is_plain(text)) return text;
  }
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

bool is_block(const ordered_json& value) { return value.is_structured() && !value.empty(); }

// Writes a non-empty object or array; the first line starts where the cursor is.
void write_block(std::ostream& out, const ordered_json& value, int indent) {
  const std::string blanks(static_cast<std::size_t>(indent), ' ');
  bool first = true;
  for (const auto& item : value.items()) {
    if (!first) out << blanks;
    first = false;
    out << (value.is_array() ? "-" : scalar(item.key()) + ":");
    if (!is_block(item.value())) {
      out << ' ' << scalar(item.value()) << '\n';
    } else if (value.is_array()) {
      out << ' ';
      write_block(out, item.value(), indent + 2);
    } else {
      const int deeper = item.value().is_array() ? indent : indent + 2;
      out << '\n' << std::string(static_cast<std::size_t>(deeper), ' ');
      write_block(out, item.value(), deeper);
    }
  }
}

}  // namespace

void write_yaml(std::ostream& out, const ordered_json& document) {
  if (is_block(document)) {
    write_block(out, document, 0);
  } else {
    out << scalar(document) << '\n';
  }
}

}  // namespace toposeg::cli
