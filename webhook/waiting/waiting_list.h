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
  std::string segment;  // as it is written on the pod; empty = outside all segments
  std::string reason;   // as it is written on the pod
};

// Whether our gate, and nothing else that ended it, keeps the pod from being scheduled.
[[nodiscard]] bool held_by_our_gate(const kube::Pod& pod);

// Not thread safe.
class WaitingList {
 public:
  // Takes the pod up when our gate holds it, else lets it go. True when the list has a pod more or less.
  bool upsert(const kube::Pod& pod);
  bool remove(std::string_view namespace_, std::string_view name);
  void drop(const WaitingPod& pod);  // unless it is another pod of this name by now
  // The reason was written on the pod; the cluster will tell so later.
  void wrote_reason(const WaitingPod& pod, std::string reason);

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
