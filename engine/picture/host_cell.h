// One host as a cell: from left to right what others use, its segments, what is free; hatched when it takes
// no pods.
#pragma once

#include <cstddef>
#include <iosfwd>

#include "engine/picture/layout.h"

namespace toposeg::picture {

// `first_party`: number of the scene's first party over all scenes.
void write_host(std::ostream& out, const Host& host, const Box& box, const Detail& detail, const Scene& scene,
                std::size_t first_party);

// The class of a party's shapes.
[[nodiscard]] std::string party_class(const Party& party, std::size_t number);

}  // namespace toposeg::picture
