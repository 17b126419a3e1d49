// How often the process has asked for memory: every operator new is counted in a bench program.
#pragma once

#include <cstddef>

namespace toposeg::bench {

[[nodiscard]] std::size_t allocations();

}  // namespace toposeg::bench
