#include "engine/cli/size_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string>
#include <utility>

#include "common/base/text.h"
#include "engine/cli/table.h"

namespace toposeg::cli {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kGap = 2;
constexpr std::size_t kSizeColumn = 10;
constexpr std::int64_t kPercent = 100;
constexpr std::int64_t kWell = 90;  // percent of the free capacity that is usable
constexpr std::int64_t kFair = 70;

std::int64_t percent(const SizesAnswer& answer, std::size_t level, std::size_t size) {
  if (answer.now.pods == 0) return 0;
  return usable(answer, level, size) * kPercent / answer.now.pods;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

Cell cell(const SizesAnswer& answer, std::size_t level, std::size_t size) {
  const std::int64_t intact = answer.intact.rows[level].slots[size];
  if (intact == 0) return {"-"};
  const std::int64_t share = percent(answer, level, size);
  const Paint paint = share >= kWell ? Paint::kGood : share >= kFair ? Paint::kDoubtful : Paint::kBad;
  const std::string marked = fmt::format("{}{}", is_best(answer, level, size) ? "*" : "", share);
  return {fmt::format("{}/{} {:>4}%", answer.now.rows[level].slots[size], intact, marked), paint};
}

struct LevelColumn {
  std::size_t level = 0;
  std::string name;
  std::vector<Cell> cells;  // one a size

  [[nodiscard]] std::size_t width() const {
    std::size_t widest = count_characters(name);
    for (const Cell& each : cells) widest = std::max(widest, each.text.size());
    return widest;
  }
};

struct Columns {
  std::vector<LevelColumn> shown;   // top level first
  std::vector<std::string> single;  // levels whose domains hold one pod
  std::vector<std::string> wide;    // levels left out for want of room
};

Columns columns_of(const SizesAnswer& answer, const Session& session) {
  Columns columns;
  std::size_t width = kSizeColumn;
  for (std::size_t level = answer.now.rows.size(); level-- > 0;) {
    LevelColumn column{level, session.level_name(answer.now.topology, static_cast<int>(level)), {}};
    if (answer.intact.rows[level].largest <= 1) {
      columns.single.insert(columns.single.begin(), column.name);
      continue;
    }
    for (std::size_t size = 0; size < answer.now.sizes.size(); ++size) {
      column.cells.push_back(cell(answer, level, size));
    }
    width += kGap + column.width();
    if (width > kWidth && !columns.shown.empty()) {
      columns.wide.insert(columns.wide.begin(), column.name);
    } else {
      columns.shown.insert(columns.shown.begin(), std::move(column));
    }
  }
  return columns;
}

void print_notes(std::ostream& out, const SizesAnswer& answer, const Columns& columns) {
  out << fmt::format(
      "\nSegments that fit into topology {}: now / were every node healthy\n"
      "and empty, and how much of what is free now they could use ({} pods fit now\n"
      "one by one, {} then). * = no larger size uses as much.\n",
      answer.now.topology, answer.now.pods, answer.intact.pods);
  if (!columns.single.empty()) {
    out << "Left out, since a domain holds one pod: " << join(columns.single, ", ") << '\n';
  }
  if (!columns.wide.empty()) {
    out << "Left out for want of room (see -o json): " << join(columns.wide, ", ") << '\n';
  }
}

void add_divisors(std::int64_t of, std::set<std::int64_t>& sizes) {
  for (std::int64_t divisor = 1; divisor * divisor <= of; ++divisor) {
    if (of % divisor == 0) sizes.insert({divisor, of / divisor});
  }
}

}  // namespace

std::vector<int> useful_sizes(const engine::Slots& intact) {
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  std::set<std::int64_t> sizes{1};
  std::int64_t closest = 0;
  std::int64_t largest = 0;
  for (const engine::SlotsRow& row : intact.rows) {
    largest = std::max(largest, row.largest);
    if (row.typical > 1) closest = row.typical;
    for (const std::int64_t part : {1, 2, 3}) {
      if (row.typical > 0 && row.typical % part == 0) sizes.insert(row.typical / part);
    }
  }
  for (std::int64_t power = 2; power <= std::min(largest, kMost / 2); power *= 2) sizes.insert(power);
  add_divisors(closest, sizes);
  std::vector<int> out;
  for (const std::int64_t size : sizes) {
    if (size <= kMost) out.push_back(static_cast<int>(size));
  }
  return out;
}

std::int64_t usable(const SizesAnswer& answer, std::size_t level, std::size_t size) {
  return answer.now.rows[level].slots[size] * answer.now.sizes[size];
}

bool is_best(const SizesAnswer& answer, std::size_t level, std::size_t size) {
  const std::int64_t used = usable(answer, level, size);
  if (used == 0) return false;
  for (std::size_t larger = size + 1; larger < answer.now.sizes.size(); ++larger) {
    if (usable(answer, level, larger) >= used) return false;
  }
  return true;
}

void print_sizes_table(std::ostream& out, const SizesAnswer& answer, const Session& session, bool colour) {
  const Columns columns = columns_of(answer, session);
  std::vector<Column> headings{{"SIZE", true}};
  for (const LevelColumn& column : columns.shown) headings.push_back({upper(column.name), true});
  Table table(std::move(headings));
  for (std::size_t size = 0; size < answer.now.sizes.size(); ++size) {
    std::vector<Cell> row{{std::to_string(answer.now.sizes[size])}};
    for (const LevelColumn& column : columns.shown) row.push_back(column.cells[size]);
    table.add(std::move(row));
  }
  table.print(out, colour);
  print_notes(out, answer, columns);
}

nlohmann::ordered_json sizes_report(const SizesAnswer& answer) {
  nlohmann::ordered_json levels = nlohmann::ordered_json::array();
  for (std::size_t level = 0; level < answer.now.rows.size(); ++level) {
    nlohmann::ordered_json sizes = nlohmann::ordered_json::array();
    for (std::size_t size = 0; size < answer.now.sizes.size(); ++size) {
      sizes.push_back({{"size", answer.now.sizes[size]},
                       {"now", answer.now.rows[level].slots[size]},
                       {"intact", answer.intact.rows[level].slots[size]},
                       {"usablePods", usable(answer, level, size)},
                       {"best", is_best(answer, level, size)}});
    }
    levels.push_back({{"level", answer.now.levels[level]}, {"sizes", std::move(sizes)}});
  }
  return {{"podsNow", answer.now.pods}, {"podsIntact", answer.intact.pods}, {"levels", std::move(levels)}};
}

}  // namespace toposeg::cli
