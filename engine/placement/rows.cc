// The ledger and the waiting segments as rows, for /debug and metrics.
#include <string_view>

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
  for (const auto& [key, reason] : waiting_) {
    const auto& [owner, group, segment] = key;
    rows.push_back({owner.namespace_, workload_text(owner), group, segment, reason});
  }
  return rows;
}

}  // namespace toposeg::engine
