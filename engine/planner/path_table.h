// Deciding a tie: the least cost of what the children from the i-th on can do, in path order. Internal to the
// planner.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/planner/choice.h"
#include "engine/planner/closed.h"

namespace toposeg::engine {

class Closed::PathTable {
 public:
  // `choice` has taken its n; the table lives on its scratch, and only one may live at a time.
  PathTable(Choice& choice, Vertex v);

  void fill();
  [[nodiscard]] std::size_t size() const { return children_.size(); }
  [[nodiscard]] Kin kin(std::size_t i) const { return children_[i].kin; }
  // The way of child i with most pods that still leads to the least cost, given what is left for it and its
  // successors; nullptr = leave it out. The pointer is valid until further solving.
  [[nodiscard]] const Item* first_best(std::size_t i, int j, std::int32_t loss, PieceSet have) const;

 private:
  using Child = PathChild;
  [[nodiscard]] bool leads(const Child& child, const Item& item, std::size_t i, int j, std::int32_t loss,
                           PieceSet have, std::size_t& from) const;

  Choice& choice_;
  Closed& closed_;
  std::vector<Child>& children_;
  std::vector<Table>& layers_;  // layers_[i]: children i, i+1, …
};

}  // namespace toposeg::engine
