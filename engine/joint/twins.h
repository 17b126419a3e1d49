// What is alike in a joint question, so that of many answers that differ by names only one is looked at.
//
// Among the answers of equal cost there is one that is least as a list of leaves, item after item. In it,
// domains that are alike and untouched are taken in their order, and so are items and groups that are alike;
// so a search may leave out everything else.
#pragma once

#include <vector>

#include "engine/joint/stock.h"

namespace toposeg::engine {

struct Twins {
  // The sibling before it that is alike, by vertex; kRoot = none. Domains in use, and those that some item or
  // group is bound to, are like no other.
  std::vector<Vertex> domain;
  // The item, and the group, before it that is alike; -1 = none. A group is alike when its items are.
  std::vector<int> item;
  std::vector<int> group;
};

// O(vertices + items).
[[nodiscard]] Twins find_twins(const Tree& tree, const JointProblem& problem, const Stock& stock);

}  // namespace toposeg::engine
