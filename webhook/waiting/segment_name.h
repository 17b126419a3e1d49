// What people read for a segment of a waiting pod.
#pragma once

#include <string>

namespace toposeg::webhook {

// "segment 2", "group 1 segment 2" of a workload that has groups, "a pod outside all segments" below 0.
[[nodiscard]] std::string segment_name(int group, int segment, bool has_groups);

}  // namespace toposeg::webhook
