#include "engine/placement/movable.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "common/kube/filters.h"
#include "engine/capacity/view.h"
#include "engine/placement/scope.h"

namespace toposeg::engine {

namespace {

bool alike(const Claim& a, const Claim& b) { return a.requests == b.requests && a.ports == b.ports; }

// The seats of one segment.
struct Collected {
  MovableSegment segment;
  std::shared_ptr<const Claim> claim;
  bool incomplete = false;
  bool mixed = false;
  bool outside = false;

  void add(const Seat& seat, const SeatEntry& entry, const Tree& tree) {
    if (claim == nullptr) claim = entry.claim;
    const bool countable = entry.claim != nullptr && entry.claim->ports.empty();
    mixed = mixed || !countable || !alike(*claim, *entry.claim);
    if (entry.state != SeatState::kBound) {
      incomplete = true;
      return;
    }
    const std::optional<Vertex> leaf = tree.leaf(entry.node);
    outside = outside || !leaf;
    if (!leaf) return;
    segment.pods.push_back(seat.index);
    segment.leaves.push_back(*leaf);
  }
};

std::map<int, Collected> collect(const GroupEntry& group, const Tree& tree) {
  std::map<int, Collected> segments;
  for (const auto& [seat, entry] : group.seats) {
    const Spot* spot = entry.spot.get();
    if (spot == nullptr || !spot->segment || spot->topology != tree.topology()) continue;
    segments[*spot->segment].add(seat, entry, tree);
  }
  return segments;
}

std::vector<Vertex> leaves_of(const GroupEntry& group, const Tree& tree) {
  std::vector<Vertex> leaves;
  for (const auto& [seat, entry] : group.seats) {
    if (!entry.living()) continue;
    if (const std::optional<Vertex> leaf = tree.leaf(entry.node)) leaves.push_back(*leaf);
  }
  return leaves;
}

// An illness of a node is no permission to look for others that have it.
std::vector<kube::Toleration> lived_with(const std::vector<Vertex>& leaves, const Tree& tree,
                                         const Books& books) {
  std::vector<kube::Toleration> tolerations;
  for (const Vertex leaf : leaves) {
    const kube::Node* node = books.node(tree.name(leaf));
    if (node == nullptr) continue;
    for (const kube::Taint& taint : node->taints) {
      const kube::Toleration toleration{taint.key, taint.value, false, taint.effect};
      const bool repeats = std::find(tolerations.begin(), tolerations.end(), toleration) != tolerations.end();
      if (!kube::tells_of_health(taint) && !repeats) tolerations.push_back(toleration);
    }
  }
  return tolerations;
}

void keep_what_it_asks(MovableSegment& segment, const LevelIndices& levels, const Tree& tree, Vertex whole) {
  segment.known = true;
  segment.level = levels.segment_required;
  if (levels.segment_preferred <= tree.level(segment.closest))
    segment.level = std::max(segment.level, levels.segment_preferred);
  int fence = levels.whole_required;
  if (levels.whole_preferred <= tree.level(whole)) fence = std::max(fence, levels.whole_preferred);
  segment.within = tree.ancestor(whole, fence);
}

class Collector {
 public:
  Collector(const Books& books, const Tree& tree) : books_(books), tree_(tree) {}

  void add_group(const Owner& owner, int number, const GroupEntry& group, const workload::Workload* known) {
    const Vertex whole = tree_.closest_domain(leaves_of(group, tree_));
    for (auto& [segment, collected] : collect(group, tree_)) {
      collected.segment.owner = owner;
      collected.segment.group = number;
      collected.segment.segment = segment;
      if (!fixed(collected)) finish(std::move(collected), known, whole);
    }
  }

  Movables take() { return std::move(movables_); }

 private:
  // Counts why a segment stays.
  bool fixed(const Collected& collected) {
    int* count = collected.incomplete ? &movables_.fixed.incomplete
                 : collected.outside  ? &movables_.fixed.outside
                 : collected.mixed    ? &movables_.fixed.mixed
                                      : nullptr;
    if (count != nullptr) ++*count;
    return count != nullptr;
  }

  void finish(Collected collected, const workload::Workload* known, Vertex whole) {
    MovableSegment segment = std::move(collected.segment);
    segment.closest = tree_.closest_domain(segment.leaves);
    const auto levels = known != nullptr ? std::optional(level_indices(*known, tree_)) : std::nullopt;
    if (levels && *levels) {
      // A leader of another template may be kept off other nodes than the workers.
      const bool led = known->extra == workload::ExtraRole::kLeaderInFirst && segment.segment == 0;
      if (led && known->extra_spec && !same_shape(*known->extra_spec, known->worker)) {
        ++movables_.fixed.mixed;
        return;
      }
      segment.shape = known->worker;
      keep_what_it_asks(segment, **levels, tree_, whole);
    } else {
      segment.shape.tolerations = lived_with(segment.leaves, tree_, books_);
      segment.level = tree_.level(segment.closest);
      segment.within = whole;
    }
    segment.shape.requests = collected.claim->requests;
    movables_.segments.push_back(std::move(segment));
  }

  const Books& books_;
  const Tree& tree_;
  Movables movables_;
};

}  // namespace

Movables movable_segments(const Ledger& ledger, const Books& books, const Tree& tree,
                          const std::function<const workload::Workload*(const Owner&)>& known) {
  Collector collector(books, tree);
  for (const auto& [owner, entry] : ledger.owners()) {
    for (const auto& [number, group] : entry.groups) collector.add_group(owner, number, group, known(owner));
  }
  return collector.take();
}

}  // namespace toposeg::engine
