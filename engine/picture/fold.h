// Fewer and larger cells where there are too many hosts to draw.
#pragma once

#include <cstddef>

#include "engine/picture/scene.h"

namespace toposeg::picture {

inline constexpr std::size_t kMostCells = 20'000;

// Draws the closest domains as one cell each, as often as it takes to come down to `most` cells, or until the
// top level is all that is left. Shares are those of all hosts together; a domain counts as unhealthy or
// tainted when all of its hosts are. Hosts outside stay.
void fold(Scene& scene, std::size_t most = kMostCells);

}  // namespace toposeg::picture
