// Workloads that were deleted, remembered for a while: their last pods may still be on the way.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "engine/ledger/seat.h"

namespace toposeg::engine {

// Not thread safe. O(log n); forgets the oldest beyond kMost.
class Graves {
 public:
  static constexpr std::size_t kMost = 4096;

  void add(const Owner& owner, const std::string& uid) {
    if (uids_.insert_or_assign(owner, uid).second) order_.push_back(owner);
    while (order_.size() > kMost) {
      uids_.erase(order_.front());
      order_.pop_front();
    }
  }
  // A workload of that name is there again.
  void erase(const Owner& owner) {
    if (uids_.erase(owner) > 0) std::erase(order_, owner);
  }
  // An empty uid, there or here, fits every one of the name.
  [[nodiscard]] bool holds(const Owner& owner, std::string_view uid) const {
    const auto grave = uids_.find(owner);
    return grave != uids_.end() && (uid.empty() || grave->second.empty() || grave->second == uid);
  }

 private:
  std::map<Owner, std::string> uids_;
  std::deque<Owner> order_;
};

}  // namespace toposeg::engine
