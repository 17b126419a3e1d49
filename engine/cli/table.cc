#include "engine/cli/table.h"

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string_view>
#include <utility>

#include "common/base/text.h"

namespace toposeg::cli {
namespace {

constexpr std::string_view kNone = "<none>";
constexpr std::string_view kGap = "  ";

std::string_view shown(const Cell& cell) { return cell.text.empty() ? kNone : std::string_view(cell.text); }

std::string_view code(Paint paint) {
  switch (paint) {
    case Paint::kGood:
      return "\x1b[32m";
    case Paint::kBad:
      return "\x1b[31m";
    case Paint::kDoubtful:
      return "\x1b[33m";
    case Paint::kPlain:
      break;
  }
  return "";
}

void print_painted(std::ostream& out, const Cell& cell, bool colour) {
  const bool painted = colour && cell.paint != Paint::kPlain;
  if (painted) out << code(cell.paint);
  out << shown(cell);
  if (painted) out << "\x1b[0m";
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }

void Table::print(std::ostream& out, bool colour) const {
  std::vector<std::vector<Cell>> lines;
  lines.emplace_back();
  for (const Column& column : columns_) lines.back().push_back({column.heading, Paint::kPlain});
  lines.insert(lines.end(), rows_.begin(), rows_.end());
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < widths.size(); ++i)
      widths[i] = std::max(widths[i], count_characters(shown(line[i])));
  }
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string blanks(widths[i] - count_characters(shown(line[i])), ' ');
      if (columns_[i].numbers) out << blanks;
      print_painted(out, line[i], colour);
      if (i + 1 < widths.size()) out << (columns_[i].numbers ? "" : blanks) << kGap;
    }
    out << '\n';
  }
}

}  // namespace toposeg::cli
