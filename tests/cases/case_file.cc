#include "case_file.h"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

namespace toposeg::cases {

namespace {

std::string_view trim(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// A comment begins at a '#' that starts the line or follows a blank, outside quotes.
std::string_view without_comment(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    const bool starts = i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t';
    if (line[i] == '#' && starts && !quoted) return line.substr(0, i);
  }
  return line;
}

bool is_heading(std::string_view line) {
  return line.size() > 2 && line.front() == '[' && line.back() == ']';
}

}  // namespace

Result<CaseFile> cut(std::string path, std::string_view text) {
  CaseFile result{.path = std::move(path), .title = {}, .sections = {}};
  std::istringstream input{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(input, line); ++number) {
    const std::string_view bare = trim(line);
    if (is_heading(bare)) {
      result.sections.push_back({std::string(bare.substr(1, bare.size() - 2)), number, {}, {}});
    } else if (!result.sections.empty()) {
      Section& section = result.sections.back();
      section.raw += line + "\n";
      if (const auto content = trim(without_comment(bare)); !content.empty()) {
        section.lines.push_back({number, std::string(content)});
      }
    } else if (bare.starts_with('#')) {
      if (!result.title.empty()) result.title += ' ';
      result.title += trim(bare.substr(1));
    } else if (!bare.empty()) {
      return fail(Code::kInvalid, "text before the first [section]",
                  fmt::format("{}:{}", result.path, number));
    }
  }
  if (result.title.empty()) {
    return fail(Code::kInvalid, "the file must begin with a comment that says what a user sees",
                result.path + ":1");
  }
  return result;
}

std::vector<std::string> words(std::string_view line) {
  std::vector<std::string> result;
  std::string word;
  bool quoted = false;
  bool begun = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
      begun = true;
    } else if ((c == ' ' || c == '\t') && !quoted) {
      if (begun) result.push_back(std::move(word));
      word.clear();
      begun = false;
    } else {
      word += c;
      begun = true;
    }
  }
  if (begun) result.push_back(std::move(word));
  return result;
}

Attribute attribute(std::string_view word) {
  const auto cut_at = word.find('=');
  if (cut_at == std::string_view::npos) return {std::string(word), {}};
  return {std::string(word.substr(0, cut_at)), std::string(word.substr(cut_at + 1))};
}

Result<int> number(std::string_view word, const std::string& where) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || value < 0) {
    return fail(Code::kInvalid, fmt::format("'{}' is no whole number", word), where);
  }
  return value;
}

}  // namespace toposeg::cases
