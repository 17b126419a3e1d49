// Choosing among the nodes of a lowest domain. Internal to the planner.
//
// A node costs the same however many pods it takes, so only which nodes are used matters: exactly n new ones,
// n the smallest number that suffices, of the least capacity in all. The loss of select_domains.cc bounds the
// table again; here it may add up to less, and the rest stays free.
#pragma once

#include <cstdint>

#include "engine/planner/closed.h"
#include "engine/planner/loss.h"

namespace toposeg::engine {

struct Closed::NodeChoice : Closed::Loss {
  Closed& closed;
  int x;       // worker pods
  bool extra;  // and the extra pod
  std::size_t kin_base;
  std::size_t kin_end = 0;
  std::size_t cells_base;
  std::int32_t best_loss = 0;

  NodeChoice(Closed& owner, Vertex v, int pods, bool with_extra);
  ~NodeChoice();
  NodeChoice(const NodeChoice&) = delete;
  NodeChoice& operator=(const NodeChoice&) = delete;

  [[nodiscard]] const Kin& kin(std::size_t i) const { return closed.kin_[kin_base + i]; }
  [[nodiscard]] std::size_t kins() const { return kin_end - kin_base; }
  [[nodiscard]] std::int32_t beside(const Kin& k) const { return closed.view_->beside(k.like); }
  [[nodiscard]] std::int32_t cost_of_one(const Kin& k) const;

  // Cell of layer i (after the first i kin): j new nodes, a loss, with or without the extra pod.
  [[nodiscard]] std::size_t at(std::size_t layer, int j, std::int32_t loss, bool with) const;
  [[nodiscard]] NodeCell& cell(std::size_t layer, int j, std::int32_t loss, bool with) const {
    return closed.node_cells_[at(layer, j, loss, with)];
  }

  bool take(int count) { return measure({closed.kin_.data() + kin_base, kins()}, count, x); }
  // Least capacity of n new nodes that hold everything; none when they cannot.
  [[nodiscard]] NodeCell run();
  void use(std::size_t layer, const Kin& k, int plain, bool with);
  void offer(NodeCell& to, const NodeCell& from, std::int32_t more, int plain, bool with) const;
  [[nodiscard]] NodeCell find_best();
  void record(Solved& solved);
};

}  // namespace toposeg::engine
