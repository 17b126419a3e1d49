// The tree as a table: totals, health and what is left, depth first.
#include <algorithm>
#include <unordered_set>

#include "engine/placement/state.h"

namespace toposeg::engine {

namespace {

// Resources of an extended kind (vendor/name) are devices: what makes a node worth placing training on.
bool is_device(const std::string& resource) { return resource.find('/') != std::string::npos; }

std::unordered_set<std::string> reserved_nodes(const Ledger& ledger) {
  std::unordered_set<std::string> nodes;
  for (const auto& [owner, entry] : ledger.owners()) {
    for (const auto& [number, group] : entry.groups) {
      for (const auto& [seat, held] : group.seats) {
        if (held.held) nodes.insert(held.node);
      }
    }
  }
  return nodes;
}

class Walk {
 public:
  Walk(const Books& books, const Ledger& ledger, const CapacityView& view, TopologyView& out)
      : books_(books), reserved_(reserved_nodes(ledger)), view_(view), out_(out) {}

  void visit(Vertex v) {
    const Tree& tree = view_.tree();
    const std::size_t at = out_.domains.size();
    out_.domains.push_back(domain(v));
    const VertexRange children = tree.children(v);
    for (Vertex child = children.begin; child < children.end; ++child) {
      const std::size_t below = out_.domains.size();
      visit(child);
      out_.domains[at].nodes += out_.domains[below].nodes;
      out_.domains[at].healthy += out_.domains[below].healthy;
      out_.domains[at].idle += out_.domains[below].idle;
    }
  }

 private:
  [[nodiscard]] DomainView domain(Vertex v) const {
    const Tree& tree = view_.tree();
    DomainView domain;
    domain.level = tree.level(v);
    domain.path = tree.path(v);
    domain.free = view_.capacity(v);
    if (domain.level < tree.levels()) return domain;
    domain.node = tree.name(v);
    const NodeId id = *books_.id(domain.node);
    const kube::Node& node = books_.node(id);
    domain.nodes = 1;
    domain.healthy = node.ready && !node.unschedulable ? 1 : 0;
    domain.idle = domain.healthy == 1 && idle(id, node) ? 1 : 0;
    return domain;
  }

  [[nodiscard]] bool idle(NodeId id, const kube::Node& node) const {
    if (reserved_.contains(node.name)) return false;
    return std::all_of(node.allocatable.begin(), node.allocatable.end(), [&](const auto& resource) {
      return !is_device(resource.first) || books_.free(id, resource.first) == resource.second;
    });
  }

  const Books& books_;
  std::unordered_set<std::string> reserved_;
  const CapacityView& view_;
  TopologyView& out_;
};

}  // namespace

Result<TopologyView> Engine::State::view(const std::string& topology, const kube::PodSpec& shape) {
  const Result<const kube::Topology*> found = find_topology(topology);
  if (!found) return std::unexpected(found.error());
  const std::shared_ptr<const Tree> tree = views.tree((*found)->name);
  const auto capacity = views.view(tree, shape);
  TopologyView view;
  view.topology = tree->topology();
  view.levels = tree->level_labels();
  Walk walk(books, ledger, *capacity, view);
  const VertexRange top = tree->at_level(0);
  for (Vertex v = top.begin; v < top.end; ++v) walk.visit(v);
  for (const Outside& node : tree->outside()) view.outside.push_back({node.node, node.missing_label});
  return view;
}

}  // namespace toposeg::engine
