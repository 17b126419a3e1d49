// A bound, and often the answer, from what units alone want of the same nodes: conflict-based search, as it
// is known from planning the paths of many agents.
//
// Each unit is answered alone. Where two of the answers do not fit on a node together, every answer to the
// joint question gives one of them less there; so the question falls into two, each with one more limit on
// one unit, and only that unit is answered anew. The sum of the answers bounds each case from below, and the
// cheapest open case bounds the whole question. A case without conflicts is an answer, the best one if it is
// the cheapest.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/joint/cost.h"
#include "engine/joint/stock.h"
#include "engine/joint/units.h"

namespace toposeg::engine {

class ConflictSearch {
 public:
  struct Outcome {
    JointRow least;                 // no answer is cheaper than this or than `best`, whichever is less
    std::optional<JointPods> pods;  // an answer of that cost
  };

  // All arguments must outlive the use; the stock as before anything is placed, and so again after each call.
  ConflictSearch(const Tree& tree, const JointProblem& problem, const std::vector<Unit>& units,
                 const Room& room, Stock& stock, const ViewSource& views, Planner& planner);

  // Whether the costs of units alone add up to that of the whole: each unit is a group of its own, with a
  // measure of its own, every item is in one, and pods keep others off nodes only.
  [[nodiscard]] bool applies() const;

  // Splits at most `most` cases; looks for nothing that costs as much as `best`. None when the planner could
  // not finish. The views must show what is free before anything is placed.
  [[nodiscard]] std::optional<Outcome> run(const JointRow& best, std::size_t most, const Deadline& deadline);

 private:
  // Of one unit on one leaf.
  struct Limit {
    std::size_t unit = 0;
    Vertex leaf = kRoot;
    int pods = 0;  // of the unit's shape, at most
    bool extra = true;
  };
  struct Case {
    std::vector<Limit> limits;
    JointPods pods;
    JointRow row;
  };
  struct Load {  // of one unit on one leaf
    std::size_t unit = 0;
    int pods = 0;
    int extras = 0;
  };
  struct Conflict {
    Vertex leaf = kRoot;
    std::vector<Load> loads;  // too much together, but without any one of them
  };

  [[nodiscard]] bool answer(std::size_t unit, const Deadline& deadline, Case& open);
  [[nodiscard]] std::optional<Conflict> find_conflict(const Case& open);
  [[nodiscard]] bool fit(Vertex leaf, const std::vector<Load>& loads);
  void reduce(Conflict& conflict);
  [[nodiscard]] Vertex ground(std::size_t unit, Vertex leaf) const;
  static std::vector<Limit> ways_out(const Conflict& conflict);

  const Tree& tree_;
  const JointProblem& problem_;
  const std::vector<Unit>& units_;
  const Room& room_;
  const ViewSource& views_;
  Planner& planner_;
  Stock& stock_;
};

}  // namespace toposeg::engine
