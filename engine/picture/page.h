// Pictures as a page: the SVG with a list of the segments, and a script for pointing and zooming. One file
// that asks nothing of the network, and could not: its own policy forbids it.
#pragma once

#include <iosfwd>
#include <span>
#include <string_view>

#include "engine/picture/scene.h"

namespace toposeg::picture {

void write_page(std::ostream& out, std::span<const Scene> scenes);

}  // namespace toposeg::picture
