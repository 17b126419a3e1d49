// How many instances to try, and from which seed on: TOPOSEG_ORACLE_INSTANCES and TOPOSEG_ORACLE_SEED make
// the long run.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace toposeg::engine::oracle {

struct Range {
  std::uint64_t first = 1;
  std::uint64_t count = 0;
};

inline std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::stoull(text);
}

inline Range seeds() {
  const bool slow_build = std::getenv("TOPOSEG_SLOW_BUILD") != nullptr;  // under sanitizers
  return {setting("TOPOSEG_ORACLE_SEED", 1), setting("TOPOSEG_ORACLE_INSTANCES", slow_build ? 700 : 20'000)};
}

}  // namespace toposeg::engine::oracle
