// How many more segments fit: for each level and size, the sum over its domains of floor(capacity / size).
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "common/kube/filters.h"
#include "engine/placement/state.h"

namespace toposeg::engine {

namespace {

Result<void> check(const std::vector<int>& sizes) {
  for (const int size : sizes) {
    if (size < 1) return fail(Code::kInvalid, fmt::format("segment size {} is not a positive number", size));
  }
  return {};
}

SlotsRow count_level(const CapacityView& view, int level, const std::vector<int>& sizes) {
  SlotsRow row{level, std::vector<std::int64_t>(sizes.size(), 0)};
  const VertexRange domains = view.tree().at_level(level);
  std::vector<std::int64_t> held;
  held.reserve(domains.size());
  for (Vertex v = domains.begin; v < domains.end; ++v) {
    held.push_back(view.capacity(v));
    for (std::size_t i = 0; i < sizes.size(); ++i) row.slots[i] += view.capacity(v) / sizes[i];
  }
  if (held.empty()) return row;
  const auto middle = held.begin() + static_cast<std::ptrdiff_t>((held.size() - 1) / 2);
  row.largest = *std::max_element(held.begin(), held.end());
  std::nth_element(held.begin(), middle, held.end(), std::greater<>());
  row.typical = *middle;
  return row;
}

Slots count(const CapacityView& view, const std::vector<int>& sizes) {
  const Tree& tree = view.tree();
  Slots slots{tree.topology(), tree.level_labels(), sizes, {}, view.capacity(kRoot)};
  for (int level = 0; level < tree.levels(); ++level) slots.rows.push_back(count_level(view, level, sizes));
  return slots;
}

kube::Node made_well(kube::Node node) {
  node.ready = true;
  node.unschedulable = false;
  std::erase_if(node.taints, kube::tells_of_health);
  return node;
}

}  // namespace

Result<Slots> Engine::State::slots(const std::string& topology, const kube::PodSpec& shape,
                                   const std::vector<int>& sizes) {
  const Result<const kube::Topology*> found = find_topology(topology);
  if (!found) return std::unexpected(found.error());
  if (const Result<void> right = check(sizes); !right) return std::unexpected(right.error());
  return count(*views.view(views.tree((*found)->name), shape), sizes);
}

Result<Slots> Engine::State::intact_slots(const std::string& topology, const kube::PodSpec& shape,
                                          const std::vector<int>& sizes) {
  const Result<const kube::Topology*> found = find_topology(topology);
  if (!found) return std::unexpected(found.error());
  if (const Result<void> right = check(sizes); !right) return std::unexpected(right.error());
  Books empty;
  for (const kube::Node* node : books.nodes()) empty.upsert(made_well(*node));
  const auto tree = Tree::build(**found, empty.nodes(), empty.names());
  return count(CapacityView(tree, empty, shape), sizes);
}

}  // namespace toposeg::engine
