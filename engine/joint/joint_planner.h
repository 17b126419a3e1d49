// Places pods of several shapes, several groups and segments partly in place together.
//
//   JointPlanner joint(tree, books, planner, views);
//   joint.begin(problem, deadline);   // while the books show what is free before anything is placed
//   joint.offer(pods);                // an answer that somebody has already, any number of times
//   joint.improve(limits);            // the books as at begin()
//   const JointAnswer& best = joint.answer();
//
// The answer is never dearer than the cheapest one offered. It is proven when a bound, or a search that came
// to its end, shows that no answer is cheaper; otherwise the gap says where the two differ. docs/placement.md
// describes the search. The same question and offers bring the same answer: the number of steps ends the
// search, and the deadline only where a machine is far too slow for them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/capacity/books.h"
#include "engine/joint/bound.h"
#include "engine/joint/cost.h"
#include "engine/joint/problem.h"
#include "engine/joint/stock.h"
#include "engine/joint/units.h"

namespace toposeg::engine {

// The first entry of the objective in which the answer's cost is above the bound.
struct JointGap {
  JointTerm term;
  std::int64_t value = 0;
  std::int64_t bound = 0;
};

struct JointAnswer {
  JointPods pods;
  JointRow cost;
  bool proven = false;
  std::optional<JointGap> gap;  // unless proven
};

struct JointLimits {
  std::int64_t steps = 200'000;  // of each search; about as many puts of pods on nodes
  std::size_t orders = 24;       // in which units are planned one after the other
  std::size_t solves = 200;      // questions to the exact planner for all orders together, about
  std::size_t conflicts = 48;    // between units that are looked into
  Deadline deadline;
};

// Not thread safe. One question at a time.
class JointPlanner {
 public:
  JointPlanner(std::shared_ptr<const Tree> tree, Books& books, Planner& planner, ViewSource views);

  // The problem must outlive the use. Until something is offered or found, the answer places nothing.
  void begin(const JointProblem& problem, const Deadline& deadline = {});
  // Must be a right answer: within capacities and levels.
  void offer(JointPods pods);
  void improve(const JointLimits& limits);

  [[nodiscard]] const JointAnswer& answer() const { return answer_; }
  // As at begin().
  [[nodiscard]] const Room& room() const { return room_; }

 private:
  void read_room();
  void judge();
  void try_orders(const JointLimits& limits);
  void pack_alike(const JointLimits& limits);
  void settle_conflicts(const JointLimits& limits);
  void search(const JointLimits& limits);
  [[nodiscard]] bool searchable() const;
  // As before anything is placed; whoever puts pods there takes them off again.
  [[nodiscard]] Stock& stock();

  std::shared_ptr<const Tree> tree_;
  Books& books_;
  Planner& planner_;
  ViewSource views_;
  const JointProblem* problem_ = nullptr;
  std::vector<Unit> units_;
  Room room_;
  std::optional<Stock> stock_;  // once it was asked for
  JointBound bound_;
  JointRow least_;  // no answer is cheaper
  JointAnswer answer_;
};

}  // namespace toposeg::engine
