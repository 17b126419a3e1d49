#include "webhook/waiting/reasons.h"

#include <charconv>
#include <utility>

#include "webhook/waiting/segment_name.h"

namespace toposeg::webhook {

WaitingSegment segment_of(const WaitingPod& pod) {
  return {pod.member.workload, pod.member.group, pod.segment};
}

std::map<WaitingSegment, std::vector<WaitingPod>> by_segment(const std::vector<WaitingPod>& pods) {
  std::map<WaitingSegment, std::vector<WaitingPod>> segments;
  for (const WaitingPod& pod : pods) segments[segment_of(pod)].push_back(pod);
  return segments;
}

std::string behind(const WaitingPod& first) {
  int segment = -1;
  (void)std::from_chars(first.segment.data(), first.segment.data() + first.segment.size(), segment);
  const bool has_groups = first.member.workload.kind == "LeaderWorkerSet";
  return segment_name(first.member.group, segment, has_groups) + " comes first and has no room yet";
}

void Reasons::learned(const WaitingSegment& segment, std::string reason) {
  learned_.insert_or_assign(segment, std::move(reason));
}

const std::string* Reasons::known(const WaitingSegment& segment) const {
  const auto found = learned_.find(segment);
  return found == learned_.end() ? nullptr : &found->second;
}

bool Reasons::due(const WaitingSegment& segment, Instant now) const {
  const auto found = noted_.find(segment);
  return found == noted_.end() || now - found->second >= every_;
}

void Reasons::noted(const WaitingSegment& segment, Instant now) { noted_.insert_or_assign(segment, now); }

void Reasons::retain(const std::set<WaitingSegment>& present) {
  std::erase_if(noted_, [&](const auto& entry) { return !present.contains(entry.first); });
}

}  // namespace toposeg::webhook
