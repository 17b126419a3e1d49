#include "engine/placement/holds.h"

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/placement/siblings.h"

namespace toposeg::engine {

namespace {

// What decides which nodes a waiting workload may come to use. Equal prospects have the same nodes.
struct Prospect {
  const kube::PodSpec* worker = nullptr;
  const kube::PodSpec* extra = nullptr;  // null = none of another shape
  int region_level = kAnywhere;          // one domain of it takes all that waits
  int close_at = kAnywhere;              // one domain of it takes a segment
  int segment_pods = 1;                  // workers of the smallest segment that waits
  std::int64_t segments = 1;             // that one region must hold

  friend bool operator==(const Prospect& a, const Prospect& b) {
    const auto numbers = [](const Prospect& p) {
      return std::tuple(p.region_level, p.close_at, p.segment_pods, p.segments);
    };
    if (numbers(a) != numbers(b) || !same_shape(*a.worker, *b.worker)) return false;
    if (a.extra == nullptr || b.extra == nullptr) return a.extra == b.extra;
    return same_shape(*a.extra, *b.extra);
  }
};

int smallest_segment(const Queue::Entry& entry) {
  const workload::Workload& workload = *entry.workload;
  int least = std::numeric_limits<int>::max();
  for (const auto& [place, reason] : entry.reasons) {
    const int segment = place.second;
    if (segment < 0 || workload.segments.size == 0) return 1;
    const int leader = segment == 0 && workload.extra_spec ? 1 : 0;
    least = std::min(least, workload.segments.pods_in(segment) - leader);
  }
  return std::max(1, least);
}

std::int64_t waiting_segments(const Queue::Entry& entry) {
  const bool whole = std::any_of(entry.reasons.begin(), entry.reasons.end(),
                                 [](const auto& reason) { return reason.first.second < 0; });
  if (entry.workload->segments.size == 0) return whole ? entry.workload->segments.pods : 1;
  return static_cast<std::int64_t>(entry.reasons.size());
}

// A region of the workload's own must hold what waits in any one group; elsewhere all that waits.
std::int64_t needed_in_one_region(const Queue::Entry& entry) {
  if (!entry.workload->whole.required || entry.workload->segments.size == 0) return waiting_segments(entry);
  std::int64_t most = 0;
  int group = -1;
  std::int64_t here = 0;
  for (const auto& [place, reason] : entry.reasons) {
    here = place.first == group ? here + 1 : 1;
    group = place.first;
    most = std::max(most, here);
  }
  return most;
}

// None: it asks for another topology, or for levels that this one lacks.
std::optional<Prospect> prospect_of(const Queue::Entry& entry, const Tree& tree) {
  const workload::Workload& workload = *entry.workload;
  if (!workload.topology.empty() && workload.topology != tree.topology()) return std::nullopt;
  const Result<LevelIndices> levels = level_indices(workload, tree);
  if (!levels) return std::nullopt;
  Prospect prospect;
  prospect.worker = &workload.worker;
  if (workload.extra_spec) prospect.extra = &*workload.extra_spec;
  prospect.region_level = std::max(levels->whole_required, kAnywhere);
  prospect.close_at = std::max(levels->segment_required, prospect.region_level);
  prospect.segment_pods = smallest_segment(entry);
  prospect.segments = needed_in_one_region(entry);
  return prospect;
}

// One flag a leaf; empty = no node is of use. O(vertices).
std::vector<std::uint8_t> nodes_of_use(const Prospect& prospect, Views& views,
                                       const std::shared_ptr<const Tree>& shared_tree) {
  const Tree& tree = *shared_tree;
  const auto rooms = views.when_empty(shared_tree, *prospect.worker);
  const auto extra = prospect.extra == nullptr ? nullptr : views.when_empty(shared_tree, *prospect.extra);
  const Vertex first = tree.first_leaf();
  std::vector<std::uint8_t> helps(tree.size() - first, 0);
  for (Vertex leaf = first; leaf < tree.size(); ++leaf) {
    helps[leaf - first] = (*rooms)[leaf] > 0 || (extra != nullptr && (*extra)[leaf] > 0) ? 1 : 0;
  }
  const auto drop = [&](Vertex domain) {
    const VertexRange leaves = tree.under(domain, tree.levels());
    for (Vertex leaf = leaves.begin; leaf < leaves.end; ++leaf) helps[leaf - first] = 0;
  };
  bool any = false;
  const VertexRange regions = tree.at_level(prospect.region_level);
  for (Vertex region = regions.begin; region < regions.end; ++region) {
    // Domains that cannot hold a segment are of no use; the region is of none when the others hold too few.
    const VertexRange domains = tree.under(region, prospect.close_at);
    std::int64_t slots = 0;
    for (Vertex v = domains.begin; v < domains.end; ++v) {
      const std::int64_t here = (*rooms)[v] / prospect.segment_pods;
      if (here == 0) drop(v);
      slots += here;
    }
    const bool fits = slots >= prospect.segments;
    if (!fits) drop(region);
    any = any || fits;
  }
  return any ? helps : std::vector<std::uint8_t>();
}

// A workload whose pods live already came before whoever waits, unless it waits itself.
bool came_before(const Desk& desk, const Owner& owner) {
  const OwnerEntry* entry = desk.ledger.find(owner);
  if (entry == nullptr || desk.queue.holds(owner)) return false;
  return std::any_of(entry->groups.begin(), entry->groups.end(), [](const auto& group) {
    return std::any_of(group.second.seats.begin(), group.second.seats.end(),
                       [](const auto& seat) { return seat.second.committed(); });
  });
}

std::vector<Hold> find_holds(Desk& desk, const Scope& scope) {
  std::vector<Hold> holds;
  // What only prefers never waits.
  if (!desk.turns || !scope.levels.must_hold() || desk.queue.entries().empty() ||
      came_before(desk, scope.owner))
    return holds;
  std::vector<Prospect> seen;  // of those that wait for the same, the first speaks for all
  for (const Queue::Entry* entry : desk.queue.before(scope.owner, desk.now)) {
    const std::optional<Prospect> prospect = prospect_of(*entry, *scope.tree);
    if (!prospect || std::find(seen.begin(), seen.end(), *prospect) != seen.end()) continue;
    seen.push_back(*prospect);
    std::vector<std::uint8_t> nodes = nodes_of_use(*prospect, desk.views, scope.tree);
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
  if (holds.empty()) return apart_from_siblings(desk, scope, std::move(view));
  const auto open = std::make_shared<CapacityView>(*view);
  for (const Hold& hold : holds) open->hold(hold.nodes, hold.whom);
  return apart_from_siblings(desk, scope, open);
}

}  // namespace toposeg::engine
