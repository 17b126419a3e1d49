#include "engine/placement/siblings.h"

#include <algorithm>
#include <utility>

namespace toposeg::engine {

std::vector<Vertex> lone_domains(const Desk& desk, const Scope& scope, const kube::PodSpec& shape) {
  std::vector<Vertex> domains;
  const int level = repel_level(*scope.tree, shape);
  const OwnerEntry* owner = level < 0 ? nullptr : desk.ledger.find(scope.owner);
  if (owner == nullptr) return domains;
  for (const auto& [number, group] : owner->groups) {
    for (const auto& [seat, entry] : group.seats) {
      const std::optional<Vertex> leaf = scope.tree->leaf(entry.node);
      if (leaf && same_shape(scope.shape(seat), shape)) domains.push_back(scope.tree->ancestor(*leaf, level));
    }
  }
  std::sort(domains.begin(), domains.end());
  domains.erase(std::unique(domains.begin(), domains.end()), domains.end());
  return domains;
}

std::shared_ptr<const CapacityView> apart_from_siblings(const Desk& desk, const Scope& scope,
                                                        std::shared_ptr<const CapacityView> view) {
  const std::vector<Vertex> lone = lone_domains(desk, scope, view->shape());
  const std::vector<Vertex> lone_extra =
      view->extra() ? lone_domains(desk, scope, *view->extra()) : std::vector<Vertex>();
  if (lone.empty() && lone_extra.empty()) return view;
  const auto open = std::make_shared<CapacityView>(*view);
  for (const Vertex domain : lone) open->close(domain);
  for (const Vertex domain : lone_extra) open->close_to_extra(domain);
  return open;
}

}  // namespace toposeg::engine
