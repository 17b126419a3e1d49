// How long to wait before the next attempt, longer each time.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "common/base/clock.h"
#include "common/base/random.h"

namespace toposeg::webhook::kube_api {

// 0.8 s, then twice as much each time up to 30 s, and up to as much again by chance, so that many clients
// that lost the same server do not come back at once. Two minutes without an attempt count as health: it
// begins anew. One thread at a time.
class Backoff {
 public:
  Backoff(const Clock& clock, Random& random) : clock_(clock), random_(random) {}

  [[nodiscard]] std::chrono::nanoseconds next() {
    const Instant now = clock_.now();
    if (last_ && now - *last_ > kHealthy) base_ = kFirst;
    last_ = now;
    const auto base = base_;
    base_ = std::min(kLongest, base_ * 2);
    return base + std::chrono::duration_cast<std::chrono::nanoseconds>(base * random_.fraction());
  }

 private:
  static constexpr std::chrono::nanoseconds kFirst = std::chrono::milliseconds(800);
  static constexpr std::chrono::nanoseconds kLongest = std::chrono::seconds(30);
  static constexpr std::chrono::nanoseconds kHealthy = std::chrono::minutes(2);

  const Clock& clock_;
  Random& random_;
  std::chrono::nanoseconds base_ = kFirst;
  std::optional<Instant> last_;
};

}  // namespace toposeg::webhook::kube_api
