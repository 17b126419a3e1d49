// Elements of SVG, one a call. Numbers are written with at most one digit after the point.
#pragma once

#include <iosfwd>
#include <string_view>

#include "engine/picture/layout.h"

namespace toposeg::picture {

void write_rect(std::ostream& out, const Box& box, std::string_view css_class, double radius = 0);

enum class Anchor : unsigned char { kStart, kMiddle };
// `text` is escaped here; `css_class` is trusted.
void write_text(std::ostream& out, double x, double y, double font, std::string_view text,
                std::string_view css_class = {}, Anchor anchor = Anchor::kStart);

// Characters of this font that fit into a width.
[[nodiscard]] std::size_t characters_in(double width, double font);

}  // namespace toposeg::picture
