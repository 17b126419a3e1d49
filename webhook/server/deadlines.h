// Which connection's time is up next. All operations are O(log n).
#pragma once

#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "webhook/server/exchange.h"

namespace toposeg::webhook {

// Not thread safe.
class Deadlines {
 public:
  // Replaces the deadline of `id`; none takes it out.
  void set(ConnectionId id, std::optional<Instant> when) {
    const auto known = by_id_.find(id);
    if (known != by_id_.end()) {
      if (when && known->second == *when) return;
      order_.erase({known->second, id});
      by_id_.erase(known);
    }
    if (!when) return;
    by_id_.emplace(id, *when);
    order_.emplace(*when, id);
  }

  [[nodiscard]] std::optional<Instant> next() const {
    if (order_.empty()) return std::nullopt;
    return order_.begin()->first;
  }

  // Takes out the first that is due.
  [[nodiscard]] std::optional<ConnectionId> take_due(Instant now) {
    if (order_.empty() || order_.begin()->first > now) return std::nullopt;
    const ConnectionId id = order_.begin()->second;
    set(id, std::nullopt);
    return id;
  }

 private:
  std::set<std::pair<Instant, ConnectionId>> order_;
  std::unordered_map<ConnectionId, Instant> by_id_;
};

}  // namespace toposeg::webhook
