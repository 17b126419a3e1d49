// Why the segments wait whose pods our gate holds, and when their pods may be told so again.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "webhook/waiting/waiting_list.h"

namespace toposeg::webhook {

// A segment of a workload, by what its pods carry; those outside all segments are one too.
struct WaitingSegment {
  workload::Identity workload;
  int group = 0;
  std::string segment;  // empty = outside all segments

  friend bool operator==(const WaitingSegment&, const WaitingSegment&) = default;
  friend auto operator<=>(const WaitingSegment&, const WaitingSegment&) = default;
};

[[nodiscard]] WaitingSegment segment_of(const WaitingPod& pod);
// The pods of one workload by segment, in their order within each.
[[nodiscard]] std::map<WaitingSegment, std::vector<WaitingPod>> by_segment(
    const std::vector<WaitingPod>& pods);
// What the pods of a segment say that would have room if its turn had come: `first` is the pod whose segment
// is in front.
[[nodiscard]] std::string behind(const WaitingPod& first);

// Not thread safe.
class Reasons {
 public:
  explicit Reasons(std::chrono::seconds every) : every_(every) {}

  // A new round: what was learned in the last one may be old.
  void forget() { learned_.clear(); }
  void learned(const WaitingSegment& segment, std::string reason);
  // Null when this round has not told.
  [[nodiscard]] const std::string* known(const WaitingSegment& segment) const;

  // Whether the segment's pods may be looked after: not within `every` after noted().
  [[nodiscard]] bool due(const WaitingSegment& segment, Instant now) const;
  void noted(const WaitingSegment& segment, Instant now);
  // Forgets segments that wait no more.
  void retain(const std::set<WaitingSegment>& present);

 private:
  const std::chrono::seconds every_;
  std::map<WaitingSegment, std::string> learned_;
  std::map<WaitingSegment, Instant> noted_;
};

}  // namespace toposeg::webhook
