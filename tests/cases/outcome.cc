#include "outcome.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "cluster_text.h"

namespace toposeg::cases {

namespace {

void describe_segment(const engine::PlannedSegment& segment, const engine::Plan& plan, std::string& text) {
  text += fmt::format("segment {} {}", segment.segment, status_text(segment.status));
  if (segment.level) text += " " + level_name(plan.levels[static_cast<std::size_t>(*segment.level)]);
  if (!segment.domain.empty()) text += " " + path_text(segment.domain);
  if (segment.climbed > 0) text += fmt::format(" climbed={}", segment.climbed);
  if (!segment.needed) text += " optional";
  text += "\n";
  std::vector<std::string> hosts;
  hosts.reserve(segment.pods.size());
  for (const auto& pod : segment.pods) hosts.push_back(pod.host.empty() ? "-" : pod.host);
  text += fmt::format("hosts {} {}\n", segment.segment, fmt::join(hosts, " "));
  for (const std::string& reason : segment.reasons) {
    text += fmt::format("reason {} \"{}\"\n", segment.segment, reason);
  }
}

void describe_group(const engine::PlannedGroup& group, const engine::Plan& plan, std::string& text) {
  if (plan.groups.size() > 1) text += fmt::format("group {}\n", group.group);
  std::vector<std::string> segments;
  segments.reserve(group.segments.size());
  for (const auto& segment : group.segments) segments.push_back(pods_text(segment.pods));
  if (!segments.empty()) text += fmt::format("segments {}\n", fmt::join(segments, " "));
  if (!group.loose.empty()) text += "loose " + pods_text(group.loose) + "\n";
  if (!group.whole_domain.empty()) text += "whole " + path_text(group.whole_domain) + "\n";
  for (const auto& segment : group.segments) describe_segment(segment, plan, text);
  for (const std::string& reason : group.reasons) text += fmt::format("reason loose \"{}\"\n", reason);
  for (const auto& pod : group.loose) text += fmt::format("loose-host {} {}\n", pod.index, pod.host);
}

}  // namespace

std::vector<Error> Outcome::refusals() const {
  std::vector<Error> result = meaning.causes;
  result.insert(result.end(), plan.refused.begin(), plan.refused.end());
  return result;
}

std::vector<std::string> Outcome::warnings() const {
  std::vector<std::string> result = meaning.warnings;
  for (const std::string& warning : plan.warnings) {
    if (std::ranges::find(result, warning) == result.end()) result.push_back(warning);
  }
  return result;
}

std::string pods_text(const std::vector<engine::PlannedPod>& pods) {
  std::vector<int> indices;
  std::vector<std::string> parts;
  for (const auto& pod : pods) {
    if (pod.role == workload::Role::kMaster) {
      parts.push_back(fmt::format("master-{}", pod.index));
    } else {
      indices.push_back(pod.index);
    }
  }
  std::ranges::sort(indices);
  for (std::size_t i = 0; i < indices.size();) {
    std::size_t end = i + 1;
    while (end < indices.size() && indices[end] == indices[end - 1] + 1) ++end;
    parts.push_back(end - i == 1 ? std::to_string(indices[i])
                                 : fmt::format("{}-{}", indices[i], indices[end - 1]));
    i = end;
  }
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, ","));
}

std::string path_text(const std::vector<std::string>& path) {
  return path.empty() ? "-" : fmt::format("{}", fmt::join(path, "/"));
}

std::string status_text(engine::SegmentStatus status) {
  if (status == engine::SegmentStatus::kPlaced) return "placed";
  return status == engine::SegmentStatus::kFree ? "free" : "waiting";
}

std::string level_name(const std::string& label) {
  for (const std::string_view word : {"zone", "block", "rack", "host"}) {
    if (level_label(word) == label) return std::string(word);
  }
  constexpr std::string_view own = "example.com/";
  return label.starts_with(own) ? label.substr(own.size()) : label;
}

std::string describe(const Outcome& outcome) {
  std::string text;
  for (const Error& fault : outcome.refusals())
    text += fmt::format("refused {} \"{}\"\n", fault.where, fault.message);
  for (const std::string& warning : outcome.warnings()) text += fmt::format("warning \"{}\"\n", warning);
  text += fmt::format("managed {}\n", outcome.meaning.managed ? "yes" : "no");
  for (const auto& addition : outcome.meaning.additions) {
    text += fmt::format("adds {} {}\n", json::to_field(addition.path), addition.value.dump());
  }
  if (!outcome.planned()) return text;
  const auto& goal = outcome.plan.objective;
  text += fmt::format("fits {}\nplaced {}\noptional {}\nclimbed {}\n", outcome.plan.fits ? "yes" : "no",
                      goal.needed_placed, goal.optional_placed, goal.climbed);
  text += fmt::format("used {}\n", fmt::join(goal.domains, " "));
  if (!outcome.plan.proven) text += "proven no\n";
  for (const auto& group : outcome.plan.groups) describe_group(group, outcome.plan, text);
  return text;
}

}  // namespace toposeg::cases
