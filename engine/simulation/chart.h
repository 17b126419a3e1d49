// Charts as inline SVG. Colours come from the page's style sheet (classes s0, s1, … for series, p0, p1, … for
// parts, rest for what is left), so that they follow its light or dark scheme; lines differ by their dashes
// too.
//
// Every chart has a title and a description for readers that speak, and tooltips on its marks. Deterministic.
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toposeg::simulation {

// Text inside HTML or SVG, or inside an attribute in double quotes.
[[nodiscard]] std::string markup_text(std::string_view text);

// What all charts have. `id` is unique on the page.
struct ChartFrame {
  std::string id;
  std::string title;
  std::string description;
};

struct Line {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x ascending, y >= 0
};
struct LineChart {
  ChartFrame frame;
  std::vector<Line> lines;
  std::vector<double> ticks;  // on the x axis
  double y_most = 1;
  std::function<std::string(double)> x_text;
  std::function<std::string(double)> y_text;
};
void write_chart(std::ostream& out, const LineChart& chart);

// Bars side by side: a group for each `groups`, in it a bar for each series; a bar without a value is left
// out.
struct BarChart {
  ChartFrame frame;
  std::vector<std::string> groups;
  std::vector<std::string> series;
  std::vector<std::vector<std::optional<double>>> values;  // [series][group], >= 0
  double y_most = 1;
  std::function<std::string(double)> y_text;
};
void write_chart(std::ostream& out, const BarChart& chart);

// One horizontal bar for each row, divided into parts that add up to at most 1. The last part is what is
// left.
struct StackChart {
  ChartFrame frame;
  std::vector<std::string> rows;
  std::vector<std::string> parts;
  std::vector<std::vector<double>> values;  // [row][part]
  std::function<std::string(double)> text;
};
void write_chart(std::ostream& out, const StackChart& chart);

// The class of a part.
[[nodiscard]] std::string part_style(std::size_t part, std::size_t parts);

// The smallest of 1, 2, 3, 4, 6, 8 and 10 times a power of ten that is no less.
[[nodiscard]] double rounded_up(double value);

// Multiples of a round time from 0 to `most` seconds, at most nine.
[[nodiscard]] std::vector<double> time_ticks(double most);

}  // namespace toposeg::simulation
