#include "engine/picture/mark.h"

#include <fmt/format.h>

#include <cmath>
#include <ostream>
#include <string>

#include "engine/picture/xml_text.h"

namespace toposeg::picture {
namespace {

std::string number(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.erase(text.size() - 2);
  return text == "-0" ? "0" : text;
}

}  // namespace

void write_rect(std::ostream& out, const Box& box, std::string_view css_class, double radius) {
  out << "<rect class=\"" << css_class << "\" x=\"" << number(box.x) << "\" y=\"" << number(box.y)
      << "\" width=\"" << number(box.width) << "\" height=\"" << number(box.height) << '"';
  if (radius > 0) out << " rx=\"" << number(radius) << '"';
  out << "/>";
}

void write_text(std::ostream& out, double x, double y, double font, std::string_view text,
                std::string_view css_class, Anchor anchor) {
  out << "<text x=\"" << number(x) << "\" y=\"" << number(y) << "\" font-size=\"" << number(font) << '"';
  if (!css_class.empty()) out << " class=\"" << css_class << '"';
  if (anchor == Anchor::kMiddle) out << " text-anchor=\"middle\"";
  out << '>' << xml_text(text) << "</text>";
}

std::size_t characters_in(double width, double font) {
  constexpr double kAverage = 0.6;
  return width <= 0 || font <= 0 ? 0 : static_cast<std::size_t>(std::floor(width / (font * kAverage)));
}

}  // namespace toposeg::picture
