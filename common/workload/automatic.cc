#include "common/workload/automatic.h"

#include <algorithm>
#include <array>

#include "common/workload/keys.h"

namespace toposeg::workload {

Automatic add_automatic_levels(const json::Document& object, const Manifest& manifest,
                               const kube::Topology& topology, const config::WorkloadConfig& config,
                               Workload& workload) {
  if (topology.levels.empty()) return {};
  const std::string& closest = topology.levels.back().node_label;
  const auto in = [&object](const AnnotationMap& map) {
    return [&object, &map](std::string_view key) { return has_annotation(object, map, key); };
  };
  constexpr std::array kSegment = {keys::kSegmentRequired, keys::kSegmentPreferred};
  Automatic added;
  if (config.automatic_segments && manifest.automatic_segments && workload.segments.size > 0 &&
      std::none_of(kSegment.begin(), kSegment.end(), in(manifest.worker))) {
    workload.segment.preferred = closest;
    added.segment_preferred = true;
  }
  const auto& whole = keys::kWholeKeys;
  if (config.automatic_whole && std::none_of(whole.begin(), whole.end(), in(manifest.root)) &&
      (!manifest.worker_is_root || std::none_of(whole.begin(), whole.end(), in(manifest.worker)))) {
    workload.whole.preferred = closest;
    added.whole_preferred = true;
  }
  return added;
}

}  // namespace toposeg::workload
