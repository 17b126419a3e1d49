// The registry: one line a kind.
#include <array>

#include "common/workload/kinds/adapters.h"
#include "common/workload/kinds/kind.h"

namespace toposeg::workload {

std::span<const std::unique_ptr<const Kind>> kinds() {
  static const std::array<std::unique_ptr<const Kind>, 3> all = {
      make_pytorchjob(),
      make_leaderworkerset(),
      make_distributed_workload(),
  };
  return all;
}

const Kind* find_kind(std::string_view api_group, std::string_view kind) {
  for (const auto& candidate : kinds()) {
    if (candidate->api_group() == api_group && candidate->name() == kind) return candidate.get();
  }
  return nullptr;
}

}  // namespace toposeg::workload
