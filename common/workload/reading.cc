#include "common/workload/reading.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/kube/device_tolerations.h"
#include "common/workload/keys.h"
#include "common/workload/levels.h"
#include "common/workload/options.h"
#include "common/workload/segment_size.h"
#include "common/workload/topology_choice.h"

namespace toposeg::workload {

namespace {

int needed_segments(const Segments& segments, const std::optional<int>& needed_pods) {
  if (segments.size == 0 || !needed_pods) return segments.count();
  const int needed = *needed_pods / segments.size + (*needed_pods % segments.size == 0 ? 0 : 1);
  return std::min(needed, segments.count());
}

Workload describe_workload(const Manifest& manifest, const Segments& segments,
                           const config::WorkloadConfig& config) {
  Workload workload;
  workload.identity = manifest.identity;
  workload.groups = manifest.groups;
  workload.segments = segments;
  workload.needed_segments = needed_segments(segments, manifest.needed_pods);
  workload.extra = manifest.extra;
  workload.masters = manifest.masters;
  workload.worker = manifest.worker_spec.value_or(kube::PodSpec{});
  workload.extra_spec = manifest.extra_spec;
  if (config.device_tolerations) {
    kube::add_device_tolerations(workload.worker);
    if (workload.extra_spec) kube::add_device_tolerations(*workload.extra_spec);
  }
  workload.suspended = manifest.suspended;
  workload.owns_pods = manifest.owns_pods;
  return workload;
}

// Not where a size was written and refused: then the refusal says all.
void warn_of_levels_without_size(const Inputs& inputs, Findings& findings) {
  const bool refused = std::any_of(findings.causes.begin(), findings.causes.end(), [](const Error& cause) {
    return cause.where.find(keys::kSegmentSize) != std::string::npos;
  });
  if (refused) return;
  if (inputs.segment_required) {
    findings.warn(fmt::format("{} has no effect without {}", keys::kSegmentRequired, keys::kSegmentSize));
  }
  if (inputs.segment_preferred) {
    findings.warn(fmt::format("{} has no effect without {}", keys::kSegmentPreferred, keys::kSegmentSize));
  }
}

// An input that nothing makes use of, where nobody else supplies what is missing.
void warn_of_idle_inputs(const Manifest& manifest, const Inputs& inputs, const SegmentSize& size,
                         Findings& findings) {
  if (inputs.segment_level() || inputs.whole_level()) return;
  if (size.written && size.segments.size > 0) {
    findings.warn(fmt::format("segment-size alone places nothing; also write {} in {}",
                              keys::kSegmentPreferred, manifest.worker.place));
  } else if (inputs.topology && !size.written) {
    findings.warn(fmt::format("{} alone has no effect; also write a level, such as {}", keys::kTopology,
                              keys::kWholePreferred));
  }
}

// Levels of both scopes, by the topology that is chosen for them.
Automatic read_levels(const json::Document& object, const Manifest& manifest, const Inputs& inputs,
                      bool segmented, bool managed, const NormaliseContext& context, Workload& workload,
                      Findings& findings) {
  const bool required = inputs.whole_required || (segmented && inputs.segment_required);
  const bool level = inputs.whole_level() || (segmented && inputs.segment_level());
  const kube::Topology* topology =
      choose_topology(manifest, inputs, {managed, level, required}, context, findings);
  if (topology == nullptr) return {};
  workload.topology = topology->name;
  const config::UnknownLevel unknown = context.config.unknown;
  workload.whole = resolve_levels(inputs.whole_required, inputs.whole_preferred, keys::kWholePreferred,
                                  *topology, unknown, findings);
  if (segmented) {
    workload.segment = resolve_levels(inputs.segment_required, inputs.segment_preferred,
                                      keys::kSegmentPreferred, *topology, unknown, findings);
  }
  return managed ? add_automatic_levels(object, manifest, *topology, context.config, workload) : Automatic{};
}

}  // namespace

Reading read_meaning(const json::Document& object, const Manifest& manifest, bool managed,
                     const NormaliseContext& context, Findings findings) {
  const Inputs inputs = read_inputs(object, manifest, findings);
  const SegmentSize size = choose_size(manifest, inputs, context.config.max_segments, findings);
  Reading reading;
  Normalised& result = reading.result;
  result.managed = managed;
  result.workload = describe_workload(manifest, size.segments, context.config);
  read_options(object, manifest, result.workload, findings);
  reading.automatic =
      read_levels(object, manifest, inputs, size.written, managed, context, result.workload, findings);
  if (!size.written) warn_of_levels_without_size(inputs, findings);
  if (!managed) warn_of_idle_inputs(manifest, inputs, size, findings);
  result.relevant = size.written || inputs.segment_level() || inputs.whole_level() ||
                    reading.automatic.segment_preferred || reading.automatic.whole_preferred;
  const bool asked = inputs.any_key || (manifest.native_size_is_ours && manifest.native_size);
  if (asked) {
    result.causes = std::move(findings.causes);
  } else if (!findings.causes.empty()) {
    // What cannot be read and asks for nothing is left to the API server to judge.
    result.relevant = false;
    result.managed = false;
    reading.automatic = {};
    result.workload.topology.clear();
    result.workload.segments.size = 0;
  }
  result.warnings = std::move(findings.warnings);
  return reading;
}

}  // namespace toposeg::workload
