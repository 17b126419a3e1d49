// Random numbers that are the same on every system.
#pragma once

#include <cstdint>
#include <random>

namespace toposeg::engine::oracle {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  // Both ends included; our own reduction, since the library's distributions differ between systems.
  int roll(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(int percent) { return roll(1, 100) <= percent; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace toposeg::engine::oracle
