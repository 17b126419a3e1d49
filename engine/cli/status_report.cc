#include "engine/cli/status_report.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "engine/cli/plan_words.h"
#include "engine/cli/status_words.h"

namespace toposeg::cli {
namespace {

using nlohmann::ordered_json;

ordered_json text_or_null(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

ordered_json levels(const workload::Levels& levels) {
  return {{"required", text_or_null(levels.required.value_or(""))},
          {"preferred", text_or_null(levels.preferred.value_or(""))}};
}

ordered_json level_or_null(const WorkloadStanding& standing, std::optional<int> level) {
  if (!standing.topology || !level) return nullptr;
  return standing.topology->levels.at(static_cast<std::size_t>(*level)).node_label;
}

ordered_json pods(const std::vector<PodStatus>& pods) {
  ordered_json out = ordered_json::array();
  for (const PodStatus& pod : pods) {
    out.push_back({{"index", pod.index},
                   {"role", word(pod.role)},
                   {"name", text_or_null(pod.name)},
                   {"state", word(pod.state)},
                   {"node", text_or_null(pod.node)},
                   {"reason", text_or_null(pod.reason)}});
  }
  return out;
}

ordered_json segment(const SegmentStanding& segment, const WorkloadStanding& standing) {
  return {{"segment", segment.segment ? ordered_json(*segment.segment) : ordered_json()},
          {"needed", segment.needed},
          {"status", word(segment.standing)},
          {"level", level_or_null(standing, segment.reached.level)},
          {"domain", segment.reached.domain},
          {"pods", pods(segment.pods)},
          {"reasons", segment.reasons}};
}

ordered_json group(const GroupStanding& group, const WorkloadStanding& standing) {
  ordered_json segments = ordered_json::array();
  ordered_json loose = ordered_json::array();
  for (const SegmentStanding& each : group.segments) {
    (each.segment ? segments : loose).push_back(segment(each, standing));
  }
  return {{"group", group.group},
          {"wholeLevel", level_or_null(standing, group.whole.level)},
          {"wholeDomain", group.whole.domain},
          {"segments", std::move(segments)},
          {"loose", std::move(loose)},
          {"reasons", group.reasons}};
}

}  // namespace

ordered_json status_report(const NamedWorkload& named, const WorkloadStanding& standing) {
  const workload::Workload& workload = named.normalised.workload;
  ordered_json groups = ordered_json::array();
  for (const GroupStanding& each : standing.groups) groups.push_back(group(each, standing));
  ordered_json labels = ordered_json::array();
  if (standing.topology) {
    for (const kube::TopologyLevel& level : standing.topology->levels) labels.push_back(level.node_label);
  }
  return {{"apiVersion", "toposeg.io/v1"},
          {"kind", "StatusReport"},
          {"placed", standing.placed},
          {"workload",
           {{"apiGroup", workload.identity.api_group},
            {"kind", workload.identity.kind},
            {"namespace", workload.identity.namespace_},
            {"name", workload.identity.name}}},
          {"suspended", workload.suspended},
          {"topology", standing.topology ? ordered_json(standing.topology->name) : ordered_json()},
          {"levels", std::move(labels)},
          {"segmentSize", workload.segments.size},
          {"segmentLevels", levels(workload.segment)},
          {"wholeLevels", levels(workload.whole)},
          {"groups", std::move(groups)}};
}

}  // namespace toposeg::cli
