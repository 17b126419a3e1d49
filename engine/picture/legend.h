// What the looks in a picture mean.
#pragma once

#include <cstddef>
#include <iosfwd>

#include "engine/picture/scene.h"

namespace toposeg::picture {

// Which states of hosts the scene has, in one row from the given place; returns its height.
double write_states(std::ostream& out, const Scene& scene, double x, double y);

// The parties in columns as far as the width goes, the first 60 of them; returns the height.
double write_parties(std::ostream& out, const Scene& scene, std::size_t first_party, double x, double y,
                     double width);

}  // namespace toposeg::picture
