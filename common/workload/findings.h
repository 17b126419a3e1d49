// What the steps of a reading have to say: faults, for which the object is refused, and warnings for the
// person who sent it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"

namespace toposeg::workload {

inline constexpr std::size_t kWarningBytes = 120;  // the API server cuts longer ones

struct Findings {
  std::vector<Error> causes;
  std::vector<std::string> warnings;

  void refuse(std::string where, std::string message) {
    causes.push_back({Code::kInvalid, std::move(message), std::move(where)});
  }
  // A text over kWarningBytes is cut between characters and ends in "…".
  void warn(std::string_view text);
};

}  // namespace toposeg::workload
