// A case file cut into its sections, before any of them is understood. README.md beside this file shows the
// format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"

namespace toposeg::cases {

// One line of a section, without comment and outer blanks; `number` counts from 1 in the file.
struct Line {
  int number = 0;
  std::string text;
};

// `raw` is the text as it stands, comments and indentation included: what a YAML section needs.
struct Section {
  std::string name;
  int number = 0;  // line of the heading
  std::vector<Line> lines;
  std::string raw;
};

struct CaseFile {
  std::string path;
  std::string title;  // the leading comment: what a user sees
  std::vector<Section> sections;
};

// kInvalid with `file:line` when there is no title, or text stands before the first section.
[[nodiscard]] Result<CaseFile> cut(std::string path, std::string_view text);

// Words of a line, split at blanks; text in double quotes is one word, without its quotes.
[[nodiscard]] std::vector<std::string> words(std::string_view line);

// `key=value` cut at the first '='; value empty when there is none.
struct Attribute {
  std::string key;
  std::string value;
};
[[nodiscard]] Attribute attribute(std::string_view word);

// A whole number >= 0, in decimal; kInvalid otherwise. `where` goes into the error.
[[nodiscard]] Result<int> number(std::string_view word, const std::string& where);

}  // namespace toposeg::cases
