// How many more segments fit: for each level and size, the sum over its domains of floor(capacity / size).
#include <fmt/format.h>

#include "engine/placement/state.h"

namespace toposeg::engine {

Result<Slots> Engine::State::slots(const std::string& topology, const kube::PodSpec& shape,
                                   const std::vector<int>& sizes) {
  const Result<const kube::Topology*> found = find_topology(topology);
  if (!found) return std::unexpected(found.error());
  for (const int size : sizes) {
    if (size < 1) return fail(Code::kInvalid, fmt::format("segment size {} is not a positive number", size));
  }
  const std::shared_ptr<const Tree> tree = views.tree((*found)->name);
  const auto view = views.view(tree, shape);
  Slots slots{tree->topology(), tree->level_labels(), sizes, {}};
  for (int level = 0; level < tree->levels(); ++level) {
    SlotsRow row{level, std::vector<std::int64_t>(sizes.size(), 0)};
    const VertexRange domains = tree->at_level(level);
    for (Vertex v = domains.begin; v < domains.end; ++v) {
      for (std::size_t i = 0; i < sizes.size(); ++i) row.slots[i] += view->capacity(v) / sizes[i];
    }
    slots.rows.push_back(std::move(row));
  }
  return slots;
}

}  // namespace toposeg::engine
