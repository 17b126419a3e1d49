#include "engine/picture/layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace toposeg::picture {
namespace {

constexpr double kAspect = 1.6;  // of the whole and of each box
constexpr double kLine = 1.45;   // height of a line of text, by its font

struct Step {
  std::size_t hosts;  // up to so many
  Detail detail;
};

constexpr Step kSteps[] = {
    {48, {112, 34, 6, 10, true}},    {160, {74, 28, 5, 9, true}},     {500, {30, 20, 4, 9, false}},
    {1500, {17, 14, 3, 7.5, false}}, {4000, {11, 11, 2.5, 0, false}}, {9000, {8, 8, 2, 0, false}},
    {30000, {5, 5, 1.5, 0, false}},
};
constexpr Detail kLeast = {3, 3, 1, 0, false};

// Puts boxes of these sizes into rows of `columns`, the first at the origin; returns the size of all.
template <typename Item>
Box arrange(std::vector<Item*>& items, std::size_t columns, double gap, bool move) {
  Box all;
  double y = 0;
  for (std::size_t begin = 0; begin < items.size(); begin += columns) {
    double x = 0;
    double row = 0;
    for (std::size_t i = begin; i < std::min(begin + columns, items.size()); ++i) {
      Box& box = *items[i];
      if (move) {
        box.x = x;
        box.y = y;
      }
      x += box.width + gap;
      row = std::max(row, box.height);
    }
    all.width = std::max(all.width, x - gap);
    all.height = y + row;
    y += row + gap;
  }
  return all;
}

// The number of columns that comes closest to the aspect; unused places in the last row count against it.
Box arrange_best(std::vector<Box*> items, double gap, double aspect) {
  std::size_t best = 1;
  double least = std::numeric_limits<double>::max();
  for (std::size_t columns = 1; columns <= items.size(); ++columns) {
    const Box box = arrange(items, columns, gap, false);
    const std::size_t rows = (items.size() + columns - 1) / columns;
    const double waste = static_cast<double>(rows * columns) / static_cast<double>(items.size());
    const double off = std::abs(std::log(box.width / box.height / aspect)) + std::log(waste) * 4;
    if (off < least) {
      least = off;
      best = columns;
    }
  }
  return arrange(items, best, gap, true);
}

// The best number of columns for alike boxes, without trying all of thousands.
Box arrange_grid(std::vector<Box*> items, double gap, double aspect) {
  const Box& one = *items.front();
  const double area = (one.width + gap) * (one.height + gap) * static_cast<double>(items.size());
  const double ideal = std::sqrt(area * aspect) / (one.width + gap);
  const auto columns = static_cast<std::size_t>(std::clamp(ideal, 1.0, static_cast<double>(items.size())));
  return arrange(items, columns, gap, true);
}

class Layouter {
 public:
  explicit Layouter(const Detail& detail) : detail_(detail) {}

  // Sizes and inner positions; the box itself stays at the origin.
  PlacedDomain measure(const Domain& domain, std::size_t depth) const {
    PlacedDomain placed;
    placed.domain = &domain;
    placed.hosts.assign(domain.hosts.size(), {0, 0, detail_.width, detail_.height});
    for (const Domain& child : domain.children) placed.children.push_back(measure(child, depth + 1));
    const Box content = arrange_content(placed, detail_.gap);
    const double pad = padding();
    placed.font = font(content.width, depth);
    const double head = placed.font * kLine;
    shift_content(placed, pad, pad + head);
    placed.box = {0, 0, content.width + 2 * pad, content.height + 2 * pad + head};
    return placed;
  }

  [[nodiscard]] double padding() const { return detail_.gap + 1; }

  // Gives hosts and children their places from the origin on; returns the size of all.
  static Box arrange_content(PlacedDomain& placed, double gap) {
    std::vector<Box*> items;
    for (Box& host : placed.hosts) items.push_back(&host);
    for (PlacedDomain& child : placed.children) items.push_back(&child.box);
    if (items.empty()) return {};
    const bool few = items.size() <= kFew;
    const Box content = few ? arrange_best(items, gap, kAspect) : arrange_grid(items, gap, kAspect);
    for (PlacedDomain& child : placed.children) shift_content(child, child.box.x, child.box.y);
    return content;
  }

 private:
  static void shift(PlacedDomain& placed, double x, double y) {
    placed.box.x += x;
    placed.box.y += y;
    shift_content(placed, x, y);
  }

  static void shift_content(PlacedDomain& placed, double x, double y) {
    for (Box& host : placed.hosts) {
      host.x += x;
      host.y += y;
    }
    for (PlacedDomain& child : placed.children) shift(child, x, y);
  }

  // Broad domains have larger names; none where not even a few characters fit.
  [[nodiscard]] double font(double width, std::size_t depth) const {
    constexpr double kFewest = 3.5;
    const double base = detail_.names ? kLargest : std::clamp(detail_.height, kSmallest, kLargest);
    const double font = std::max(kSmallest, base - static_cast<double>(std::min<std::size_t>(depth, 2)));
    return width < kFewest * font * kCharacter ? 0 : font;
  }

  static constexpr std::size_t kFew = 200;
  static constexpr double kLargest = 12;
  static constexpr double kSmallest = 7;
  static constexpr double kCharacter = 0.6;

  const Detail& detail_;
};

}  // namespace

Detail detail_for(std::size_t hosts) {
  for (const Step& step : kSteps) {
    if (hosts <= step.hosts) return step.detail;
  }
  return kLeast;
}

Layout lay_out(const Scene& scene, const Domain& outside) {
  Layout layout;
  layout.detail = detail_for(host_count(scene));
  const Layouter layouter(layout.detail);
  // All of them as one domain without a box of its own.
  PlacedDomain all;
  for (const Domain& domain : scene.domains) all.children.push_back(layouter.measure(domain, 0));
  if (!outside.hosts.empty()) all.children.push_back(layouter.measure(outside, 0));
  const Box content = Layouter::arrange_content(all, 2 * layouter.padding());
  layout.width = content.width;
  layout.height = content.height;
  layout.domains = std::move(all.children);
  return layout;
}

}  // namespace toposeg::picture
