// How the pods of one replica group fall into segments. Pure arithmetic (seed page; the LWS rule is the one
// of the LeaderWorkerSet pod webhook, so that both products agree on who belongs together).
//
//   Segments s{.pods = 5, .size = 2, .rule = SegmentRule::kLeaderExtra};
//   s.count();       // 2: {0,1,2} {3,4}
//   s.of(2);         // segment 0
//   s.rank(2);       // 2, the place inside its segment
//
// Indices at or beyond `pods` are legal (elastic jobs, surge groups): they continue the same rule.
#pragma once

#include <cstdint>
#include <optional>

namespace toposeg::workload {

enum class SegmentRule : std::uint8_t {
  kPlain,           // pod i in floor(i / size); the last segment may be partial
  kLeaderExtra,     // LWS LeaderWorker, (pods-1) mod size = 0 and pods mod size != 0: leader joins segment 0
  kLeaderExcluded,  // LWS LeaderExcluded: pod 0 in no segment, worker i in floor((i-1) / size)
};

struct Segments {
  int pods = 0;  // R, leader included where the kind counts it
  int size = 0;  // S; 0 = the workload is not segmented
  SegmentRule rule = SegmentRule::kPlain;

  [[nodiscard]] int count() const;                       // number of segments; 0 when not segmented
  [[nodiscard]] std::optional<int> of(int index) const;  // none: not segmented, or an excluded leader
  [[nodiscard]] int rank(int index) const;       // 0-based place in its segment; 0 for an excluded leader
  [[nodiscard]] int pods_in(int segment) const;  // 0 when there is no such segment
  [[nodiscard]] int first(int segment) const;    // lowest pod index of a segment
  friend bool operator==(const Segments&, const Segments&) = default;
};

}  // namespace toposeg::workload
