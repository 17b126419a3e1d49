#include "common/options/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/base/text.h"
#include "common/base/whole_number.h"

namespace toposeg::options {

CLI::Validator is_whole_number(std::int64_t least, std::int64_t most) {
  const bool bounded = most < std::numeric_limits<int>::max();
  const std::string right = bounded ? fmt::format("a whole number from {} to {}", least, most)
                                    : fmt::format("a whole number, at least {}", least);
  const auto check = [least, most, right](const std::string& text) {
    const bool octal = text.size() > 1 && text.front() == '0';  // to the one who reads it next
    const auto number = octal ? std::nullopt : whole_number(text);
    if (!number && !octal && !text.empty() && text.find_first_not_of("0123456789") == std::string::npos)
      return fmt::format("{} is too large; write at most {}", truncated(text, 40), most);
    const bool good = number && *number >= least && *number <= most;
    return good ? std::string() : fmt::format("{} is wrong; write {}", quote(text), right);
  };
  return {check, bounded ? fmt::format("{}-{}", least, most) : ""};
}

CLI::Validator is_number(double least, double most) {
  const auto check = [least, most](const std::string& text) {
    double number = 0;
    const bool good = CLI::detail::lexical_cast(text, number) && number >= least && number <= most;
    return good ? std::string()
                : fmt::format("{} is wrong; write a number from {} to {}", quote(text), least, most);
  };
  return {check, fmt::format("{}-{}", least, most)};
}

CLI::Validator is_one_of(std::vector<std::string> words) {
  const std::string shown = fmt::format("{{{}}}", join(words, ","));
  const auto check = [words = std::move(words)](const std::string& text) {
    if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
    const std::vector<std::string_view> known(words.begin(), words.end());
    return fmt::format("{} is wrong; write one of {}{}", quote(text), join(words, ", "),
                       did_you_mean(text, known));
  };
  return {check, shown};
}

}  // namespace toposeg::options
