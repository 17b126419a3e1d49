// A placement in the making: what is free less what the job itself has taken so far.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/capacity/view.h"

namespace toposeg::simulation {

// For pods of one shape, so that each pod takes one from its host and from every domain above. The view must
// outlive it.
class Draft {
 public:
  explicit Draft(const engine::CapacityView& room) : room_(room), taken_(room.tree().size(), 0) {}

  [[nodiscard]] const engine::Tree& tree() const { return room_.tree(); }
  [[nodiscard]] std::int32_t free(engine::Vertex v) const { return room_.capacity(v) - taken_[v]; }
  void take(engine::Vertex leaf) { add(leaf, 1); }
  void give_back(engine::Vertex leaf) { add(leaf, -1); }

 private:
  void add(engine::Vertex leaf, std::int32_t pods) {
    for (engine::Vertex v = leaf; v != engine::kRoot; v = tree().parent(v)) taken_[v] += pods;
    taken_[engine::kRoot] += pods;
  }

  const engine::CapacityView& room_;
  std::vector<std::int32_t> taken_;
};

}  // namespace toposeg::simulation
