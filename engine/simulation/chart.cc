#include "engine/simulation/chart.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

namespace toposeg::simulation {
namespace {

constexpr double kWidth = 720;
constexpr double kHeight = 260;
constexpr double kLeft = 64;    // room for the texts of the y axis
constexpr double kRight = 690;  // room for half of the last text of the x axis
constexpr double kTop = 10;
constexpr double kBottom = 228;
constexpr int kSteps = 4;  // of the y axis
constexpr double kRowHeight = 30;
constexpr double kNameWidth = 110;

void begin(std::ostream& out, const ChartFrame& frame, double height) {
  fmt::print(out,
             "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{}-title {}-text\">\n"
             "<title id=\"{}-title\">{}</title>\n<desc id=\"{}-text\">{}</desc>\n",
             kWidth, height, frame.id, frame.id, frame.id, markup_text(frame.title), frame.id,
             markup_text(frame.description));
}

void text(std::ostream& out, double x, double y, std::string_view anchor, std::string_view words) {
  fmt::print(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
             markup_text(words));
}

double y_of(double value, double most) {
  return kBottom - (kBottom - kTop) * std::clamp(value / most, 0.0, 1.0);
}

void y_axis(std::ostream& out, double most, const std::function<std::string(double)>& words) {
  for (int step = 0; step <= kSteps; ++step) {
    const double value = most * step / kSteps;
    const double y = y_of(value, most);
    fmt::print(out, "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kLeft, kRight,
               y, y);
    text(out, kLeft - 6, y + 4, "end", words(value));
  }
}

void rectangle(std::ostream& out, std::string_view style, std::array<double, 4> box,
               std::string_view tooltip) {
  fmt::print(out,
             "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">"
             "<title>{}</title></rect>\n",
             style, box[0], box[1], box[2], box[3], markup_text(tooltip));
}

}  // namespace

std::string markup_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        // Control characters are not allowed in markup at all.
        out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return out;
}

void write_chart(std::ostream& out, const LineChart& chart) {
  begin(out, chart.frame, kHeight);
  y_axis(out, chart.y_most, chart.y_text);
  double x_most = 1;
  for (const Line& line : chart.lines) {
    if (!line.points.empty()) x_most = std::max(x_most, line.points.back().first);
  }
  const auto x_of = [&](double x) { return kLeft + (kRight - kLeft) * x / x_most; };
  for (const double tick : chart.ticks) text(out, x_of(tick), kBottom + 18, "middle", chart.x_text(tick));
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    fmt::print(out, "<polyline class=\"s{}\" points=\"", i);
    for (const auto& [x, y] : chart.lines[i].points) {
      fmt::print(out, "{:.1f},{:.1f} ", x_of(x), y_of(y, chart.y_most));
    }
    fmt::print(out, "\"><title>{}</title></polyline>\n", markup_text(chart.lines[i].name));
  }
  out << "</svg>\n";
}

void write_chart(std::ostream& out, const BarChart& chart) {
  begin(out, chart.frame, kHeight);
  y_axis(out, chart.y_most, chart.y_text);
  const double group_width =
      (kRight - kLeft) / static_cast<double>(std::max<std::size_t>(1, chart.groups.size()));
  const double bar = group_width * 0.8 / static_cast<double>(std::max<std::size_t>(1, chart.series.size()));
  for (std::size_t group = 0; group < chart.groups.size(); ++group) {
    const double left = kLeft + group_width * static_cast<double>(group);
    text(out, left + group_width / 2, kBottom + 18, "middle", chart.groups[group]);
    for (std::size_t series = 0; series < chart.series.size(); ++series) {
      const std::optional<double>& value = chart.values[series][group];
      if (!value) continue;
      const double x = left + group_width * 0.1 + bar * static_cast<double>(series);
      const double y = y_of(*value, chart.y_most);
      rectangle(out, fmt::format("s{}", series), {x, y, bar * 0.9, kBottom - y},
                fmt::format("{}, {}: {}", chart.groups[group], chart.series[series], chart.y_text(*value)));
    }
  }
  out << "</svg>\n";
}

void write_chart(std::ostream& out, const StackChart& chart) {
  begin(out, chart.frame, kRowHeight * static_cast<double>(chart.rows.size()) + kTop);
  for (std::size_t row = 0; row < chart.rows.size(); ++row) {
    const double y = kTop + kRowHeight * static_cast<double>(row);
    text(out, kNameWidth - 6, y + kRowHeight / 2, "end", chart.rows[row]);
    double x = kNameWidth;
    for (std::size_t part = 0; part < chart.parts.size(); ++part) {
      const double width = (kRight - kNameWidth) * chart.values[row][part];
      if (width <= 0) continue;
      rectangle(
          out, part_style(part, chart.parts.size()), {x, y, width, kRowHeight - 8},
          fmt::format("{}, {}: {}", chart.rows[row], chart.parts[part], chart.text(chart.values[row][part])));
      x += width;
    }
  }
  out << "</svg>\n";
}

std::string part_style(std::size_t part, std::size_t parts) {
  return part + 1 == parts ? "rest" : fmt::format("p{}", part);
}

double rounded_up(double value) {
  if (value <= 0) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double factor : {1.0, 2.0, 3.0, 4.0, 6.0, 8.0}) {
    if (factor * power >= value) return factor * power;
  }
  return 10 * power;
}

std::vector<double> time_ticks(double most) {
  constexpr std::array<double, 16> kRound{1,     10,    60,    300,   600,    1800,   3600,    7200,
                                          14400, 21600, 43200, 86400, 172800, 432000, 1209600, 2592000};
  constexpr double kMostTicks = 8;
  double step = kRound.front();
  for (const double candidate : kRound) {
    step = candidate;
    if (most / candidate <= kMostTicks) break;
  }
  while (most / step > kMostTicks) step *= 2;
  std::vector<double> ticks;
  for (int i = 0; step * i <= most; ++i) ticks.push_back(step * i);
  return ticks;
}

}  // namespace toposeg::simulation
