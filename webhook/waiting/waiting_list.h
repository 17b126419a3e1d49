// The pods that our gate holds, in the order in which they are to be tried again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/kube/records.h"
#include "common/workload/workload.h"

namespace toposeg::webhook {

struct WaitingPod {
  std::string namespace_;
  std::string name;
  std::string uid;
  std::int64_t created = 0;  // seconds since the epoch
  std::uint64_t arrival = 0;
  workload::Member member;
};

// Not thread safe.
class WaitingList {
 public:
  // Takes the pod up when our gate holds it, else lets it go. True when the list changed.
  bool upsert(const kube::Pod& pod);
  bool remove(std::string_view namespace_, std::string_view name);

  // One entry a workload, that of the pod that waits longest first (by creation, then by arrival); within a
  // workload by group and index. O(pods log pods).
  [[nodiscard]] std::vector<std::vector<WaitingPod>> by_age() const;
  [[nodiscard]] bool holds(std::string_view namespace_, std::string_view name) const;
  [[nodiscard]] bool empty() const { return pods_.empty(); }
  [[nodiscard]] std::size_t size() const { return pods_.size(); }

 private:
  std::map<std::pair<std::string, std::string>, WaitingPod> pods_;  // namespace, name
  std::uint64_t arrivals_ = 0;
};

}  // namespace toposeg::webhook
