// Time behind an interface, so that tests turn the hands themselves.
#pragma once

#include <chrono>
#include <mutex>

namespace toposeg {

using Instant = std::chrono::steady_clock::time_point;   // for durations and time limits
using WallTime = std::chrono::system_clock::time_point;  // for certificates and for people

// Thread safe.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual Instant now() const = 0;
  [[nodiscard]] virtual WallTime wall() const = 0;
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] Instant now() const override { return std::chrono::steady_clock::now(); }
  [[nodiscard]] WallTime wall() const override { return std::chrono::system_clock::now(); }
};

// Stands still until advanced. For tests and simulation.
class ManualClock final : public Clock {
 public:
  [[nodiscard]] Instant now() const override {
    const std::scoped_lock lock(mutex_);
    return now_;
  }
  [[nodiscard]] WallTime wall() const override {
    const std::scoped_lock lock(mutex_);
    return wall_;
  }
  void advance(std::chrono::nanoseconds by) {
    const std::scoped_lock lock(mutex_);
    now_ += by;
    wall_ += std::chrono::duration_cast<WallTime::duration>(by);
  }

 private:
  mutable std::mutex mutex_;
  Instant now_{std::chrono::hours(1)};
  WallTime wall_{std::chrono::seconds(1'800'000'000)};
};

}  // namespace toposeg
