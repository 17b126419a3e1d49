#include "common/workload/findings.h"

#include <algorithm>

#include "common/base/text.h"

namespace toposeg::workload {

void Findings::warn(std::string_view text) {
  if (text.size() <= kWarningBytes) {
    warnings.emplace_back(text);
    return;
  }
  constexpr std::string_view kEllipsis = "…";
  std::size_t end = 0;
  while (true) {
    const std::size_t next = end + std::max<std::size_t>(character_bytes(text.substr(end)), 1);
    if (next + kEllipsis.size() > kWarningBytes) break;
    end = next;
  }
  warnings.push_back(std::string(text.substr(0, end)) + std::string(kEllipsis));
}

}  // namespace toposeg::workload
