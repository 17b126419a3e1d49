// Chance behind an interface, so that tests choose it.
#pragma once

#include <mutex>
#include <random>

namespace toposeg {

// Thread safe.
class Random {
 public:
  virtual ~Random() = default;
  [[nodiscard]] virtual double fraction() = 0;  // in [0, 1)
};

// For jitter, not for secrets.
class SystemRandom final : public Random {
 public:
  [[nodiscard]] double fraction() override {
    const std::scoped_lock lock(mutex_);
    return distribution_(generator_);
  }

 private:
  std::mutex mutex_;
  std::mt19937_64 generator_{std::random_device{}()};
  std::uniform_real_distribution<double> distribution_{0.0, 1.0};
};

// Always the same.
class FixedRandom final : public Random {
 public:
  explicit FixedRandom(double fraction) : fraction_(fraction) {}
  [[nodiscard]] double fraction() override { return fraction_; }

 private:
  double fraction_;
};

}  // namespace toposeg
