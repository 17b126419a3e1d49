#include "engine/placement/stickiness.h"

#include <algorithm>
#include <string_view>

namespace toposeg::engine {

namespace {

// The domain written for the pod, else (nothing written, or labels changed since) the one around its node at
// the level that the segment tries to reach.
std::optional<Vertex> domain_of(const Scope& scope, const SeatEntry& entry) {
  const Tree& tree = *scope.tree;
  const bool written = entry.spot != nullptr && entry.spot->topology == tree.topology();
  if (written && !entry.spot->domain.empty()) {
    if (const std::optional<Vertex> domain = tree.find(entry.spot->domain)) return domain;
  }
  const std::optional<Vertex> leaf = tree.leaf(entry.node);
  if (!leaf) return std::nullopt;
  if (written) return kRoot;
  return tree.ancestor(*leaf, scope.levels.goal());
}

std::int64_t amount(const kube::ResourceList& list, std::string_view resource) {
  const std::int64_t* value = kube::find(list, resource);
  return value == nullptr ? 0 : *value;
}

bool has_room(const Books& books, NodeId node, const Claim& held, const Claim& wanted) {
  if (books.free(node, "pods") < 0) return false;
  return std::all_of(wanted.requests.begin(), wanted.requests.end(), [&](const auto& request) {
    const auto& [resource, value] = request;
    return value == 0 || books.free(node, resource) + amount(held.requests, resource) >= value;
  });
}

}  // namespace

std::optional<Foothold> foothold(const Desk& desk, const Scope& scope, std::optional<int> segment) {
  const GroupEntry* group = desk.ledger.find(scope.owner, scope.group);
  if (group == nullptr) return std::nullopt;
  std::optional<Foothold> found;
  for (const auto& [seat, entry] : group->seats) {
    if (found && !entry.committed()) continue;
    if (scope.segment_of(seat) != segment) continue;
    const std::optional<Vertex> domain = domain_of(scope, entry);
    if (!domain) continue;
    found = Foothold{*domain, entry.committed()};
    if (found->committed) break;
  }
  return found;
}

std::optional<Vertex> whole_foothold(const Desk& desk, const Scope& scope) {
  const GroupEntry* group = desk.ledger.find(scope.owner, scope.group);
  if (group == nullptr || scope.levels.whole_required == kAnywhere) return std::nullopt;
  std::optional<Vertex> planned;
  for (const auto& [seat, entry] : group->seats) {
    const std::optional<Vertex> leaf = scope.tree->leaf(entry.node);
    if (!leaf) continue;
    const Vertex whole = scope.tree->ancestor(*leaf, scope.levels.whole_required);
    if (entry.committed()) return whole;
    if (!planned) planned = whole;
  }
  return planned;
}

std::vector<Vertex> vertices_in_use(const Desk& desk, const Scope& scope) {
  std::vector<Vertex> used;
  const GroupEntry* group = desk.ledger.find(scope.owner, scope.group);
  if (group == nullptr) return used;
  for (const auto& [seat, entry] : group->seats) {
    const std::optional<Vertex> leaf = scope.tree->leaf(entry.node);
    if (!leaf) continue;
    for (Vertex v = *leaf; v != kRoot; v = scope.tree->parent(v)) used.push_back(v);
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

std::optional<Nook> find_nook(Desk& desk, const Scope& scope, const Seat& seat, Vertex from, int up_to) {
  const auto view = desk.views.view(scope.tree, scope.shape(seat));
  Problem problem{.size = 1, .full = 1, .needed = 1, .within = from, .in_use = vertices_in_use(desk, scope)};
  for (int level = scope.tree->level(from); level >= up_to; --level) {
    problem.within = scope.tree->ancestor(from, level);
    if (view->capacity(problem.within) < 1) continue;
    const Solution& solution = desk.planner.solve(*view, problem, desk.deadline);
    if (!solution.segments.empty())
      return Nook{solution.hosts[solution.segments[0].hosts_begin], problem.within};
  }
  return std::nullopt;
}

bool usable(const Desk& desk, const Scope& scope, const SeatEntry& entry, const kube::PodSpec& pod,
            const Claim& claim) {
  const NodeId* node = desk.books.id(entry.node);
  const std::optional<Vertex> leaf = scope.tree->leaf(entry.node);
  if (node == nullptr || !leaf || !desk.books.exists(*node)) return false;
  const Obstacle obstacle = desk.books.verdict(*node, pod).obstacle;
  // A full node, or a taken port, may be just this reservation.
  const bool passes =
      obstacle == Obstacle::kNone || obstacle == Obstacle::kFull || obstacle == Obstacle::kHostPort;
  if (!passes || !has_room(desk.books, *node, *entry.claim, claim)) return false;
  if (entry.spot == nullptr || entry.spot->topology != scope.tree->topology()) return false;
  const std::optional<Vertex> domain = scope.tree->find(entry.spot->domain);
  return domain && scope.tree->ancestor(*leaf, scope.tree->level(*domain)) == *domain;
}

}  // namespace toposeg::engine
