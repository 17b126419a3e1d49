// The joint objective by its definition, and the best answer by trying everything. Shares no code with the
// joint planner beyond the question.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "oracle/joint_instance.h"

namespace toposeg::engine::oracle {

// Smaller is better.
struct JointScore {
  std::vector<std::int64_t> placed;  // minus needed, optional, apart
  std::vector<int> missing;          // one flag an item, in their order
  std::int64_t climbed = 0;
  std::int64_t whole = 0;
  std::vector<std::int64_t> domains;     // summed over groups; top level first, nodes last
  std::vector<std::int64_t> altogether;  // those that several groups of one measure use count once
  std::vector<std::int64_t> leftover;    // nodes first, top level last: room of the used domains
  friend auto operator<=>(const JointScore&, const JointScore&) = default;
};

// Why the answer breaks a rule; empty when it keeps them all.
[[nodiscard]] std::string fault(const JointInstance& instance, const JointPods& pods);

// Of an answer that keeps the rules.
[[nodiscard]] JointScore score(const JointInstance& instance, const JointPods& pods);

// The best score of all answers.
[[nodiscard]] JointScore best_joint_score(const JointInstance& instance);

}  // namespace toposeg::engine::oracle
