// One case from its text to what differs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toposeg::cases {

struct CaseResult {
  std::string title;
  std::vector<std::string> differences;  // empty = passed
  std::string came;                      // every outcome in the words of [expect], for comparing
};

// Never throws for anything in the text: faults of the case file itself are differences too.
[[nodiscard]] CaseResult run_case(const std::string& path, std::string_view text);

}  // namespace toposeg::cases
