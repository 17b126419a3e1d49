// Chance that comes out the same everywhere for the same seed.
#pragma once

#include <cstdint>
#include <random>

#include "common/base/random.h"

namespace toposeg::simulation {

// Not thread safe. The standard fixes the engine's numbers but not those of its distributions, hence the
// arithmetic.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) : generator_(seed) {}
  [[nodiscard]] double fraction() override { return static_cast<double>(generator_() >> 11U) * 0x1.0p-53; }
  // In [0, count); count > 0.
  [[nodiscard]] std::size_t below(std::size_t count) {
    return static_cast<std::size_t>(fraction() * static_cast<double>(count));
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace toposeg::simulation
