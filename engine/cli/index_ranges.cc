#include "engine/cli/index_ranges.h"

#include <algorithm>
#include <cstddef>

namespace toposeg::cli {

std::string index_ranges(std::vector<int> indices) {
  if (indices.empty()) return "<none>";
  std::sort(indices.begin(), indices.end());
  std::string out;
  for (std::size_t begin = 0; begin < indices.size();) {
    std::size_t end = begin;
    while (end + 1 < indices.size() && indices[end + 1] - indices[end] <= 1) ++end;
    if (!out.empty()) out += ',';
    out += std::to_string(indices[begin]);
    if (indices[end] != indices[begin]) out += '-' + std::to_string(indices[end]);
    begin = end + 1;
  }
  return out;
}

}  // namespace toposeg::cli
