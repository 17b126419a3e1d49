// Tables as kubectl prints them: headings in capitals, two blanks between columns, no lines.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace toposeg::cli {

enum class Paint : unsigned char { kPlain, kGood, kBad, kDoubtful };

struct Cell {
  std::string text;  // empty is printed as <none>
  Paint paint = Paint::kPlain;
};

struct Column {
  std::string heading;
  bool numbers = false;  // aligned to the right
};

class Table {
 public:
  explicit Table(std::vector<Column> columns);
  // As many cells as columns.
  void add(std::vector<Cell> row);
  // Columns are as wide as their widest cell; nothing follows the last cell of a row. Colour codes only where
  // `colour` is set.
  void print(std::ostream& out, bool colour) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace toposeg::cli
