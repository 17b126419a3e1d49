// Pictures as SVG: one file with everything in it. Hosts and segments tell more when the pointer rests on
// them (<title>). The same scenes give the same bytes.
//
//   picture::write_svg(out, {scene});
#pragma once

#include <iosfwd>
#include <span>

#include "engine/picture/scene.h"

namespace toposeg::picture {

struct SvgOptions {
  bool legend = true;  // names of segments below the picture, the first 60 of them
};

// The scenes one below the other. Shapes of a segment carry its number in data-p, counted over all scenes.
void write_svg(std::ostream& out, std::span<const Scene> scenes, const SvgOptions& options = {});

}  // namespace toposeg::picture
