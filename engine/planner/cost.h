// Costs as rows of integers that compare lexicographically and add up over disjoint subtrees: the whole
// objective below "how many segments" and "how many levels climbed".
//
//   row[0 .. L]         domains used at level 0 … L          (L = the nodes)
//   row[L+1 .. 2L+1]    capacity of the used domains, at level L … 0
//
// Comparing the capacity of the used domains is comparing what is left over in them: the pods placed are the
// same.
#pragma once

#include <cstdint>
#include <span>

namespace toposeg::engine {

using CostItem = std::int32_t;
using CostRow = std::span<CostItem>;
using ConstCostRow = std::span<const CostItem>;

class CostLayout {
 public:
  explicit CostLayout(int levels = 0) : levels_(levels) {}
  [[nodiscard]] std::size_t size() const { return 2 * static_cast<std::size_t>(levels_ + 1); }
  [[nodiscard]] std::size_t domains(int level) const { return static_cast<std::size_t>(level); }
  [[nodiscard]] std::size_t leftover(int level) const { return size() - 1 - static_cast<std::size_t>(level); }

 private:
  int levels_;
};

inline void add(CostRow into, ConstCostRow other) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] += other[i];
}

// Negative, zero or positive as a + b is cheaper than, equal to or dearer than c.
inline int compare_sum(ConstCostRow a, ConstCostRow b, ConstCostRow c) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const CostItem difference = a[i] + b[i] - c[i];
    if (difference != 0) return difference;
  }
  return 0;
}

inline int compare(ConstCostRow a, ConstCostRow b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

}  // namespace toposeg::engine
