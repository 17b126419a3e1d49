// The search behind the joint answer: branch and bound, item after item, part after part, leaf after leaf. It
// would see every answer if nothing were cut off; cut off is what cannot beat the best answer known (by what
// is used so far and by what each group needs at least), and what differs from another answer by names only.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/joint/bound.h"
#include "engine/joint/cost.h"
#include "engine/joint/stock.h"
#include "engine/joint/twins.h"
#include "engine/planner/deadline.h"

namespace toposeg::engine {

class JointSearch {
 public:
  // All arguments must outlive the search. O(groups * vertices) of memory.
  JointSearch(const Tree& tree, const JointProblem& problem, const Room& room, const JointBound& bound,
              const Stock& stock);

  // Looks for a cheaper answer than `best`, comparing the first `width` entries of the rows only, and leaves
  // the cheapest found in its arguments. True when nothing was left out: no answer is cheaper. `steps` is
  // what may still be tried and is counted down; it ends the search on any machine at the same place.
  bool run(std::size_t width, std::int64_t& steps, const Deadline& deadline, JointRow& best, JointPods& pods);

 private:
  struct Use {                       // of one group
    std::vector<std::int32_t> pods;  // puts below each vertex; one more where the group stands already
    std::optional<Vertex> shared;    // holds all it uses
    int puts = 0;
  };
  struct Before {  // what a put changes and only a copy can bring back
    std::optional<Vertex> group_shared;
    std::optional<Vertex> item_shared;
    std::int64_t climbed = 0;
    std::int64_t whole = 0;
  };

  void begin();
  void next_item(std::size_t i);
  void leave_out(std::size_t i);
  void next_part(std::size_t i, std::size_t part, Vertex from, int pods);
  bool try_leaf(std::size_t i, std::size_t part, Vertex leaf, int pods, int rest);
  void accept();

  [[nodiscard]] VertexRange ground(std::size_t i) const;
  [[nodiscard]] Vertex first_allowed(std::size_t i) const;
  [[nodiscard]] bool like_untouched(Vertex leaf) const;
  [[nodiscard]] bool enough(int shape, VertexRange range, int pods);
  [[nodiscard]] bool spend(std::int64_t steps);

  Before put(std::size_t i, int shape, Vertex leaf, int pods);
  void take(std::size_t i, int shape, Vertex leaf, int pods, const Before& before);
  void mark(int group, Vertex leaf, int change);
  void weigh(int group);
  [[nodiscard]] bool promising() const;
  [[nodiscard]] JointRow row_now() const;

  const JointItem& item(std::size_t i) const { return problem_.items[i]; }
  JointRow& row_of(int group) { return rows_[static_cast<std::size_t>(group)]; }

  const Tree& tree_;
  const JointProblem& problem_;
  const Room& room_;
  const JointBound& bound_;
  Stock stock_;
  Twins twins_;
  JointLayout layout_;
  JointRow root_;
  std::size_t prefix_;  // entries of groups

  std::vector<Use> uses_;
  std::vector<std::vector<std::int32_t>> measured_;  // by shape, vertex
  std::vector<std::int32_t> touched_;                // by vertex
  std::vector<JointRow> rows_;                       // by group; what is not decided counts as placed
  std::vector<JointRow> weights_;                    // the larger of the group's row and bound
  JointRow total_;
  JointRow together_;  // entries from prefix_ on
  JointPods now_;
  std::vector<std::optional<Vertex>> item_shared_;
  std::vector<std::size_t> first_item_;  // by group

  std::size_t width_ = 0;
  std::int64_t* steps_ = nullptr;
  const Deadline* deadline_ = nullptr;
  JointRow* best_ = nullptr;
  JointPods* best_pods_ = nullptr;
  bool all_placed_ = false;  // by the best answer
  bool ended_ = false;
  unsigned ticks_ = 0;
};

}  // namespace toposeg::engine
