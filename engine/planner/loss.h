// The loss by which a choice of children is measured against "the n roomiest new ones, each full, and every
// one that is in use": what select_domains.cc and select_nodes.cc share. Internal to the planner.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "engine/planner/closed.h"

namespace toposeg::engine {

struct Closed::Loss {
  int n = 0;               // new children used
  std::int32_t bound = 0;  // room of the n-th roomiest new child
  std::int32_t slack = 0;  // loss that holding x units leaves to spend

  // Sets all three; false when n new children and those in use cannot hold x units. `kin`: the roomiest
  // first.
  bool measure(std::span<const Kin> kin, int count, int x) {
    constexpr std::int32_t kUnbounded = std::numeric_limits<std::int32_t>::max();
    n = count;
    bound = kUnbounded;
    std::int64_t room = 0;
    int left = count;
    for (const Kin& k : kin) {
      const int taken = k.used ? 1 : std::min(left, k.count);
      if (taken == 0) continue;
      room += static_cast<std::int64_t>(taken) * k.units;
      if (k.used) continue;
      left -= taken;
      bound = k.units;
    }
    slack = static_cast<std::int32_t>(std::min<std::int64_t>(room - x, kUnbounded));
    return left == 0 && room >= x;
  }
  // Of leaving out a child of this kin.
  [[nodiscard]] std::int32_t skip_loss(const Kin& k) const {
    if (k.used) return k.units;
    return n == 0 ? 0 : std::max(0, k.units - bound);
  }
  // Of giving it `units`.
  [[nodiscard]] std::int32_t use_loss(const Kin& k, std::int32_t units) const {
    return (k.used ? k.units : std::max(k.units, bound)) - units;
  }
};

}  // namespace toposeg::engine
