#include "engine/placement/holds.h"

#include <algorithm>
#include <limits>
#include <string>

namespace toposeg::engine {

namespace {

// What a waiting workload could ever have of a tree.
class Prospect {
 public:
  Prospect(const Queue::Entry& entry, const Tree& tree, const Books& books)
      : entry_(entry), workload_(*entry.workload), tree_(tree), rooms_(tree.size(), 0) {
    const Vertex first = tree.first_leaf();
    helps_.assign(tree.size() - first, 0);
    for (Vertex leaf = first; leaf < tree.size(); ++leaf) {
      const NodeId node = tree.node(leaf);
      rooms_[leaf] = books.capacity_when_empty(node, workload_.worker);
      const bool extra = workload_.extra_spec && books.capacity_when_empty(node, *workload_.extra_spec) > 0;
      helps_[leaf - first] = rooms_[leaf] > 0 || extra ? 1 : 0;
    }
    for (Vertex v = first; v-- > 0;) {
      const VertexRange children = tree.children(v);
      for (Vertex child = children.begin; child < children.end; ++child) rooms_[v] += rooms_[child];
    }
  }

  [[nodiscard]] std::vector<std::uint8_t> nodes(const LevelIndices& levels) {
    const int region_level = std::max(levels.whole_required, kAnywhere);
    const int close_at = std::max(levels.segment_required, region_level);
    const VertexRange regions = tree_.at_level(region_level);
    bool any = false;
    for (Vertex region = regions.begin; region < regions.end; ++region) {
      if (fits(region, close_at)) {
        any = true;
      } else {
        drop(region);
      }
    }
    if (!any) return {};
    return std::move(helps_);
  }

 private:
  // Workers of the smallest segment that waits.
  [[nodiscard]] int segment_pods() const {
    int least = std::numeric_limits<int>::max();
    for (const auto& [place, reason] : entry_.reasons) {
      const int segment = place.second;
      if (segment < 0 || workload_.segments.size == 0) return 1;
      const int leader = segment == 0 && workload_.extra_spec ? 1 : 0;
      least = std::min(least, workload_.segments.pods_in(segment) - leader);
    }
    return std::max(1, least);
  }

  [[nodiscard]] std::int64_t segments() const {
    const bool whole = std::any_of(entry_.reasons.begin(), entry_.reasons.end(),
                                   [](const auto& reason) { return reason.first.second < 0; });
    if (workload_.segments.size == 0) return whole ? workload_.segments.pods : 1;
    return static_cast<std::int64_t>(entry_.reasons.size());
  }

  // Domains that cannot hold a segment are of no use; the region is of none when the others hold too few.
  [[nodiscard]] bool fits(Vertex region, int close_at) {
    const VertexRange domains = tree_.under(region, close_at);
    std::int64_t slots = 0;
    for (Vertex v = domains.begin; v < domains.end; ++v) {
      const std::int64_t here = rooms_[v] / segment_pods();
      if (here == 0) drop(v);
      slots += here;
    }
    return slots >= needed_in_one_region();
  }

  // A region of the workload's own must hold what waits in any one group; elsewhere all that waits.
  [[nodiscard]] std::int64_t needed_in_one_region() const {
    if (!workload_.whole.required) return segments();
    std::int64_t most = 0;
    int group = -1;
    std::int64_t here = 0;
    for (const auto& [place, reason] : entry_.reasons) {
      here = place.first == group ? here + 1 : 1;
      group = place.first;
      most = std::max(most, here);
    }
    return workload_.segments.size == 0 ? segments() : most;
  }

  void drop(Vertex domain) {
    const VertexRange leaves = tree_.under(domain, tree_.levels());
    for (Vertex leaf = leaves.begin; leaf < leaves.end; ++leaf) helps_[leaf - tree_.first_leaf()] = 0;
  }

  const Queue::Entry& entry_;
  const workload::Workload& workload_;
  const Tree& tree_;
  std::vector<std::int64_t> rooms_;
  std::vector<std::uint8_t> helps_;
};

// A workload whose pods live already came before whoever waits, unless it waits itself.
bool came_before(const Desk& desk, const Owner& owner) {
  const OwnerEntry* entry = desk.ledger.find(owner);
  if (entry == nullptr || desk.queue.holds(owner)) return false;
  return std::any_of(entry->groups.begin(), entry->groups.end(), [](const auto& group) {
    return std::any_of(group.second.seats.begin(), group.second.seats.end(),
                       [](const auto& seat) { return seat.second.committed(); });
  });
}

// Empty = it holds nothing in this topology. O(vertices).
std::vector<std::uint8_t> nodes_of_use(const Queue::Entry& entry, const Tree& tree, const Books& books) {
  const std::string& topology = entry.workload->topology;
  if (!topology.empty() && topology != tree.topology()) return {};
  const Result<LevelIndices> levels = level_indices(*entry.workload, tree);
  if (!levels) return {};
  return Prospect(entry, tree, books).nodes(*levels);
}

std::vector<Hold> find_holds(const Desk& desk, const Scope& scope) {
  std::vector<Hold> holds;
  // What only prefers never waits.
  if (!scope.levels.must_hold() || desk.queue.entries().empty() || came_before(desk, scope.owner))
    return holds;
  for (const Queue::Entry* entry : desk.queue.before(scope.owner, desk.now)) {
    std::vector<std::uint8_t> nodes = nodes_of_use(*entry, *scope.tree, desk.books);
    if (!nodes.empty())
      holds.push_back({std::move(nodes), kube::full_name(entry->owner.namespace_, entry->owner.name)});
  }
  return holds;
}

// Who waits, and who came before, does not change during a decision.
const std::vector<Hold>& holds_against(Desk& desk, const Scope& scope) {
  if (!desk.holds) desk.holds = find_holds(desk, scope);
  return *desk.holds;
}

}  // namespace

bool is_held_back(Desk& desk, const Scope& scope) { return !holds_against(desk, scope).empty(); }

std::shared_ptr<const CapacityView> open_view(Desk& desk, const Scope& scope,
                                              const std::optional<kube::PodSpec>& extra) {
  std::shared_ptr<const CapacityView> view = desk.views.view(scope.tree, scope.workload.worker, extra);
  const std::vector<Hold>& holds = holds_against(desk, scope);
  if (holds.empty()) return view;
  const auto open = std::make_shared<CapacityView>(*view);
  for (const Hold& hold : holds) open->hold(hold.nodes, hold.whom);
  return open;
}

}  // namespace toposeg::engine
