// The [expect] section, line by line against an outcome. Every line is one demand; beside them two things
// always hold: each refusal and each warning that came must be named by a line.
#pragma once

#include <string>
#include <vector>

#include "case_file.h"
#include "outcome.h"

namespace toposeg::cases {

// Places one pod of the workload just planned, for `pod` lines: the role and index as in a plan.
class Placer {
 public:
  virtual ~Placer() = default;
  [[nodiscard]] virtual engine::PodDecision place(int group, workload::Role role, int index) = 0;
};

// What differs, one text each, beginning with the line's number; empty = as expected.
[[nodiscard]] std::vector<std::string> compare(const Section& section, const Outcome& outcome,
                                               Placer& placer);

}  // namespace toposeg::cases
