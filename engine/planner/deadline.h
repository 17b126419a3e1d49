// When to stop improving.
#pragma once

#include "common/base/clock.h"

namespace toposeg::engine {

// A default one never expires.
struct Deadline {
  const Clock* clock = nullptr;
  Instant at;
  [[nodiscard]] bool expired() const { return clock != nullptr && clock->now() >= at; }
};

}  // namespace toposeg::engine
