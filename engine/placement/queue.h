// The workloads that wait, in the order in which they began to. None is overtaken where that could delay it:
// a later one is planned as if the nodes that an earlier one may come to use were taken (see holds.h).
#pragma once

#include <chrono>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "common/workload/workload.h"
#include "engine/ledger/ledger.h"

namespace toposeg::engine {

// Not thread safe.
class Queue {
 public:
  using Place = std::pair<int, int>;  // group, segment; segment -1 = outside all segments

  struct Entry {
    Owner owner;
    std::shared_ptr<const workload::Workload> workload;  // as it asked last
    std::map<Place, std::string> reasons;                // of what waits; not empty
    Instant until;                                       // it goes first until then
  };

  // The place waits. A new owner stands last. Who has not asked again within `patience` holds nobody up any
  // more (its pods may never come), but keeps its turn.
  explicit Queue(std::chrono::nanoseconds patience) : patience_(patience) {}
  void wait(const Owner& owner, const workload::Workload& workload, Place place, std::string reason,
            Instant now);
  void placed(const Owner& owner, Place place);  // it waits no longer; the last one takes the owner out
  void leave(const Owner& owner);

  [[nodiscard]] bool holds(const Owner& owner) const;
  [[nodiscard]] const std::list<Entry>& entries() const { return entries_; }
  // Those that the owner must not delay: all before it, or all when it does not wait. O(entries).
  [[nodiscard]] std::vector<const Entry*> before(const Owner& owner, Instant now) const;

 private:
  [[nodiscard]] std::list<Entry>::iterator find(const Owner& owner);

  std::chrono::nanoseconds patience_;
  std::list<Entry> entries_;
};

}  // namespace toposeg::engine
