// Answers by planning the units one after the other, each exactly on what the earlier ones left. Which comes
// first matters, so several orders are tried.
#pragma once

#include <functional>
#include <vector>

#include "engine/capacity/books.h"
#include "engine/joint/units.h"

namespace toposeg::engine {

class Sequence {
 public:
  // All arguments must outlive the use.
  Sequence(const Tree& tree, const JointProblem& problem, const std::vector<Unit>& units, Books& books,
           const ViewSource& views, Planner& planner)
      : tree_(tree), problem_(problem), units_(units), books_(books), views_(views), planner_(planner) {}

  // The orders worth trying, the natural one first; indices of units. At most `most`.
  [[nodiscard]] std::vector<std::vector<int>> orders(std::size_t most) const;

  // Plans in that order. The books are the same afterwards.
  [[nodiscard]] JointPods run(const std::vector<int>& order, const Deadline& deadline);

 private:
  void charge(const Unit& unit, const JointPods& pods);
  void release();

  const Tree& tree_;
  const JointProblem& problem_;
  const std::vector<Unit>& units_;
  Books& books_;
  const ViewSource& views_;
  Planner& planner_;
  int charges_ = 0;
};

}  // namespace toposeg::engine
