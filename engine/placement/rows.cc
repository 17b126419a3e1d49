// The ledger and the waiting segments as rows, for /debug and metrics.
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/placement/state.h"

namespace toposeg::engine {

namespace {

std::string_view state_text(SeatState state) {
  switch (state) {
    case SeatState::kPlanned:
      return "planned";
    case SeatState::kAdmitted:
    case SeatState::kPending:
      return "admitted";
    case SeatState::kBound:
      return "bound";
  }
  return {};
}

// `kubeflow.org/PyTorchJob` and a name -> `PyTorchJob/name`.
std::string workload_text(const Owner& owner) {
  return owner.kind.substr(owner.kind.rfind('/') + 1) + '/' + owner.name;
}

// The pods of one segment that live.
struct Seated {
  const Spot* spot = nullptr;
  std::vector<std::string_view> nodes;
  bool all_bound = true;
};

std::map<int, Seated> seated(const GroupEntry& group) {
  std::map<int, Seated> segments;
  for (const auto& [seat, entry] : group.seats) {
    if (!entry.living() || entry.spot == nullptr || !entry.spot->segment) continue;
    Seated& segment = segments[*entry.spot->segment];
    segment.spot = entry.spot.get();
    segment.nodes.push_back(entry.node);
    segment.all_bound = segment.all_bound && entry.state == SeatState::kBound;
  }
  return segments;
}

// The level of the closest domain that holds all nodes; kAnywhere when only the whole topology does, none
// when one of them is not in it.
std::optional<int> level_reached(const Tree& tree, const std::vector<std::string_view>& nodes) {
  std::vector<Vertex> leaves;
  for (const std::string_view node : nodes) {
    const std::optional<Vertex> leaf = tree.leaf(node);
    if (!leaf) return std::nullopt;
    leaves.push_back(*leaf);
  }
  return tree.level(tree.closest_domain(leaves));
}

std::int64_t seconds_until(Instant limit, Instant now) {
  return std::chrono::ceil<std::chrono::seconds>(limit - now).count();
}

}  // namespace

std::vector<LedgerRow> Engine::State::ledger_rows() const {
  std::vector<LedgerRow> rows;
  const Instant now = clock.now();
  for (const auto& [owner, entry] : ledger.owners()) {
    for (const auto& [number, group] : entry.groups) {
      for (const auto& [seat, held] : group.seats) {
        LedgerRow row;
        row.namespace_ = owner.namespace_;
        row.workload = workload_text(owner);
        row.group = number;
        row.index = seat.index;
        const workload::Workload* known = known_as(owner);
        const bool master = seat.part == Part::kMaster;
        row.role = known != nullptr ? role_of(*known, seat)
                   : master         ? workload::Role::kMaster
                                    : workload::Role::kWorker;
        row.host = held.node;
        row.state = state_text(held.state);
        if (const std::optional<Instant> limit = ledger.limit(owner, seat))
          row.seconds_left = seconds_until(*limit, now);
        rows.push_back(std::move(row));
      }
    }
  }
  return rows;
}

std::vector<WaitingRow> Engine::State::waiting_rows() const {
  std::vector<WaitingRow> rows;
  for (const Queue::Entry& entry : queue.entries()) {
    for (const auto& [place, reason] : entry.reasons)
      rows.push_back({entry.owner.namespace_, workload_text(entry.owner), place.first, place.second, reason});
  }
  return rows;
}

std::vector<ReachedRow> Engine::State::reached_rows() {
  std::map<std::string, std::map<int, int>> counts;  // topology, level
  for (const auto& [name, topology] : views.topologies()) {
    for (int level = kAnywhere; level < static_cast<int>(topology.levels.size()); ++level)
      counts[name][level] = 0;
  }
  for (const auto& [owner, entry] : ledger.owners()) {
    for (const auto& [number, group] : entry.groups) {
      for (const auto& [index, segment] : seated(group)) {
        const auto levels = counts.find(segment.spot->topology);
        if (!segment.all_bound || levels == counts.end()) continue;
        const auto level = level_reached(*views.tree(levels->first), segment.nodes);
        if (level) ++levels->second[*level];
      }
    }
  }
  std::vector<ReachedRow> rows;
  for (const auto& [name, levels] : counts) {
    for (const auto& [level, segments] : levels) {
      const auto& labels = views.topology(name)->levels;
      rows.push_back(
          {name, level < 0 ? std::string() : labels[static_cast<std::size_t>(level)].node_label, segments});
    }
  }
  return rows;
}

}  // namespace toposeg::engine
