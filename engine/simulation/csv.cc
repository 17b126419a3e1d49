#include "engine/simulation/csv.h"

#include <fmt/format.h>

#include "common/base/text.h"

namespace toposeg::simulation {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// Takes a quoted value and the comma behind it off the front of `rest`.
Result<std::string> take_quoted(std::string_view& rest, bool& more) {
  std::string value;
  std::size_t at = 1;
  for (;; ++at) {
    if (at >= rest.size()) return fail(Code::kInvalid, fmt::format("{} has no closing quote", quote(rest)));
    if (rest[at] != '"') {
      value += rest[at];
    } else if (at + 1 < rest.size() && rest[at + 1] == '"') {
      value += rest[at++];
    } else {
      break;
    }
  }
  const std::string_view tail = rest.substr(at + 1);
  const std::size_t comma = tail.find(',');
  if (const auto extra = without_blanks(tail.substr(0, comma)); !extra.empty()) {
    return fail(Code::kInvalid,
                fmt::format("{} stands after a closing quote; expected a comma", quote(extra)));
  }
  more = comma != std::string_view::npos;
  rest = more ? tail.substr(comma + 1) : std::string_view();
  return value;
}

}  // namespace

Result<std::vector<std::string>> split_csv(std::string_view line) {
  std::vector<std::string> values;
  for (bool more = true; more;) {
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin != std::string_view::npos && line[begin] == '"') {
      line.remove_prefix(begin);
      auto value = take_quoted(line, more);
      if (!value) return std::unexpected(value.error());
      values.push_back(std::move(*value));
      continue;
    }
    const std::size_t comma = line.find(',');
    values.emplace_back(without_blanks(line.substr(0, comma)));
    more = comma != std::string_view::npos;
    line.remove_prefix(more ? comma + 1 : line.size());
  }
  return values;
}

std::string csv_value(std::string_view value) {
  const bool plain =
      value.find_first_of(",\"\n\r") == std::string_view::npos && value == without_blanks(value);
  if (plain) return std::string(value);
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"') out += '"';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out + '"';
}

std::string csv_line(const std::vector<std::string>& values) {
  std::string line;
  for (const std::string& value : values) {
    if (&value != values.data()) line += ',';
    line += csv_value(value);
  }
  return line + '\n';
}

}  // namespace toposeg::simulation
