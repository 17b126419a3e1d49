// The planner's objective by its definition, and the best answer by trying everything. Shares no code with
// the planner beyond the question.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/instance.h"

namespace toposeg::engine::oracle {

// An answer: for each placed segment the leaves of its pods (any order), and the extra pod's leaf.
struct Answer {
  std::vector<std::vector<Vertex>> full;
  std::vector<Vertex> first;    // empty = not placed
  std::vector<Vertex> partial;  // empty = not placed
  std::optional<Vertex> extra;
};

// Smaller is better.
struct Score {
  std::vector<std::int64_t>
      placed;  // minus needed, optional, extra apart, first, full: so smaller is better here too
  std::int64_t climbed = 0;
  std::vector<std::int64_t> domains;   // top level first, nodes last
  std::vector<std::int64_t> leftover;  // nodes first, top level last: capacity of the used domains
  std::vector<std::int64_t> path;      // minus the pods of each domain, level by level
  friend auto operator<=>(const Score&, const Score&) = default;
};

// None when the answer breaks a rule: a node takes too much, a required level does not hold.
[[nodiscard]] std::optional<Score> score(const Instance& instance, const Answer& answer);

// The best score of all answers.
[[nodiscard]] Score best_score(const Instance& instance);

}  // namespace toposeg::engine::oracle
