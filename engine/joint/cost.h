// The objective of the placement design, section 3, as one row of integers that compare lexicographically,
// smaller being better:
//
//   minus the needed, the optional items and the pods apart that are placed
//   which items: one bit for each, the first item highest, negated
//   levels climbed, summed over items
//   levels by which groups miss their preferred whole level, summed over groups
//   domains used, top level first, nodes last: summed over groups, each counting its own
//   the same altogether: domains that several groups of one measure use count once
//   room of the used domains, nodes first, top level last, each counted once again
//
// Comparing the room of the used domains is comparing what is left over in them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/joint/problem.h"

namespace toposeg::engine {

using JointRow = std::vector<std::int64_t>;

class JointLayout {
 public:
  JointLayout(std::size_t items, int levels)
      : words_((items + kBits - 1) / kBits), levels_(static_cast<std::size_t>(levels) + 1) {}

  [[nodiscard]] std::size_t needed() const { return 0; }
  [[nodiscard]] std::size_t placed(JointItem::Rank rank) const { return static_cast<std::size_t>(rank); }
  [[nodiscard]] std::size_t pattern(std::size_t item) const { return 3 + item / kBits; }
  [[nodiscard]] static std::int64_t bit(std::size_t item) {
    return std::int64_t{1} << (kBits - 1 - item % kBits);
  }
  [[nodiscard]] std::size_t climbed() const { return 3 + words_; }
  [[nodiscard]] std::size_t whole() const { return climbed() + 1; }
  [[nodiscard]] std::size_t domains(int level) const { return whole() + 1 + static_cast<std::size_t>(level); }
  // From here on, entries are about all groups of one measure together.
  [[nodiscard]] std::size_t first_shared() const { return domains(0) + levels_; }
  [[nodiscard]] std::size_t altogether(int level) const {
    return first_shared() + static_cast<std::size_t>(level);
  }
  [[nodiscard]] std::size_t leftover(int level) const { return size() - 1 - static_cast<std::size_t>(level); }
  [[nodiscard]] std::size_t size() const { return first_shared() + 2 * levels_; }

 private:
  static constexpr std::size_t kBits = 62;
  std::size_t words_;
  std::size_t levels_;  // with the nodes
};

// Room of every vertex in pods of each group's measure, as it was before anything was placed. Index: shape,
// vertex; empty where the shape is no measure.
using Room = std::vector<std::vector<std::int32_t>>;

// The closest domain that holds both.
[[nodiscard]] Vertex common_domain(const Tree& tree, Vertex a, Vertex b);

// Levels that an item climbs whose pods (and home) share this domain.
[[nodiscard]] int climb_of(const Tree& tree, const JointItem& item, Vertex shared);

// The cost of an answer by its definition. O(pods * levels + vertices).
[[nodiscard]] JointRow cost_of(const Tree& tree, const JointProblem& problem, const Room& room,
                               const JointPods& pods);

// What an entry of the row counts, for people: "needed segments", "domains at level 2".
struct JointTerm {
  enum class Kind : std::uint8_t {
    kNeeded,
    kOptional,
    kApart,
    kPattern,
    kClimbed,
    kWhole,
    kDomains,
    kAltogether,
    kLeftover
  };
  Kind kind = Kind::kNeeded;
  int level = 0;  // of kDomains and after; levels() = nodes
};
[[nodiscard]] JointTerm term_at(const JointLayout& layout, std::size_t index);

}  // namespace toposeg::engine
