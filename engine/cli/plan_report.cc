#include "engine/cli/plan_report.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "engine/cli/plan_words.h"

namespace toposeg::cli {
namespace {

using nlohmann::ordered_json;

ordered_json text_or_null(const std::optional<std::string>& text) {
  return text ? ordered_json(*text) : ordered_json();
}

ordered_json level_or_null(const engine::Plan& plan, std::optional<int> level) {
  const bool known = level && *level >= 0 && static_cast<std::size_t>(*level) < plan.levels.size();
  return known ? ordered_json(plan.levels[static_cast<std::size_t>(*level)]) : ordered_json();
}

ordered_json levels(const workload::Levels& levels) {
  return {{"required", text_or_null(levels.required)}, {"preferred", text_or_null(levels.preferred)}};
}

ordered_json pods(const std::vector<engine::PlannedPod>& planned) {
  ordered_json out = ordered_json::array();
  for (const engine::PlannedPod& pod : planned) {
    out.push_back({{"index", pod.index},
                   {"role", word(pod.role)},
                   {"host", pod.host.empty() ? ordered_json() : ordered_json(pod.host)}});
  }
  return out;
}

ordered_json segment(const engine::PlannedSegment& planned, const engine::Plan& plan) {
  return {{"segment", planned.segment},     {"needed", planned.needed},
          {"status", word(planned.status)}, {"level", level_or_null(plan, planned.level)},
          {"climbed", planned.climbed},     {"domain", planned.domain},
          {"pods", pods(planned.pods)},     {"reasons", planned.reasons}};
}

ordered_json group(const engine::PlannedGroup& planned, const engine::Plan& plan) {
  ordered_json segments = ordered_json::array();
  for (const engine::PlannedSegment& each : planned.segments) segments.push_back(segment(each, plan));
  return {{"group", planned.group},
          {"wholeLevel", level_or_null(plan, planned.whole_level)},
          {"wholeDomain", planned.whole_domain},
          {"segments", std::move(segments)},
          {"loosePods", pods(planned.loose)},
          {"reasons", planned.reasons}};
}

ordered_json objective(const engine::Objective& objective) {
  return {{"neededPlaced", objective.needed_placed},
          {"optionalPlaced", objective.optional_placed},
          {"climbed", objective.climbed},
          {"domains", objective.domains},
          {"leftover", objective.leftover}};
}

ordered_json gap(const engine::Plan& plan) {
  if (!plan.gap) return nullptr;
  ordered_json level = nullptr;
  if (plan.gap->level) level = plan.levels[static_cast<std::size_t>(*plan.gap->level)];
  return {{"wish", word(plan.gap->wish)},
          {"level", std::move(level)},
          {"value", plan.gap->value},
          {"bound", plan.gap->bound}};
}

ordered_json causes(const std::vector<Error>& errors) {
  ordered_json out = ordered_json::array();
  for (const Error& error : errors) out.push_back({{"field", error.where}, {"message", error.message}});
  return out;
}

std::string_view word(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPlaced:
      return "placed";
    case Outcome::kUnfit:
      return "unfit";
    case Outcome::kRefused:
      break;
  }
  return "refused";
}

ordered_json report_of(const PlannedWorkload& planned) {
  const workload::Workload& workload = planned.workload();
  ordered_json groups = ordered_json::array();
  for (const engine::PlannedGroup& each : planned.plan.groups) groups.push_back(group(each, planned.plan));
  return {{"apiGroup", workload.identity.api_group},
          {"kind", workload.identity.kind},
          {"namespace", workload.identity.namespace_},
          {"name", workload.identity.name},
          {"outcome", word(planned.outcome)},
          {"proven", planned.plan.proven},
          {"gap", gap(planned.plan)},
          {"managed", planned.normalised.managed},
          {"topology", workload.topology},
          {"levels", planned.plan.levels},
          {"segmentSize", workload.segments.size},
          {"segmentLevels", levels(workload.segment)},
          {"wholeLevels", levels(workload.whole)},
          {"groups", std::move(groups)},
          {"objective", objective(planned.plan.objective)},
          {"warnings", planned.warnings},
          {"causes", causes(planned.causes)}};
}

}  // namespace

ordered_json plan_report(std::span<const PlannedWorkload> workloads) {
  ordered_json items = ordered_json::array();
  for (const PlannedWorkload& planned : workloads) items.push_back(report_of(planned));
  const bool fits = std::all_of(workloads.begin(), workloads.end(),
                                [](const auto& planned) { return planned.outcome == Outcome::kPlaced; });
  return {{"apiVersion", "toposeg.io/v1"},
          {"kind", "PlanReport"},
          {"fits", fits},
          {"workloads", std::move(items)}};
}

}  // namespace toposeg::cli
