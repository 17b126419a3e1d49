#include "webhook/admission/plan_annotation.h"

#include <algorithm>
#include <cstdint>

#include "common/json/pointer.h"

namespace toposeg::webhook {
namespace {

using engine::SegmentStatus;
using json::Document;

constexpr int kVersion = 1;
constexpr std::int64_t kKeptWaiting = -1;
constexpr std::int64_t kKeptFree = -2;
constexpr std::int64_t kMostSegments = 200'000;
constexpr const char* kWhere = "toposeg.io/plan";

std::size_t common_prefix(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(ends.first - a.begin());
}

Document runs_of(const std::vector<SegmentSummary>& segments) {
  Document runs = Document::array();
  const std::vector<std::string>* last = nullptr;
  for (std::size_t begin = 0; begin < segments.size();) {
    std::size_t end = begin + 1;
    while (end < segments.size() && segments[end] == segments[begin]) ++end;
    const SegmentSummary& segment = segments[begin];
    Document run = Document::array({end - begin});
    if (segment.status == SegmentStatus::kPlaced) {
      const std::size_t kept = last != nullptr ? common_prefix(segment.domain, *last) : 0;
      run.push_back(kept);
      for (std::size_t i = kept; i < segment.domain.size(); ++i) run.push_back(segment.domain[i]);
      last = &segment.domain;
    } else {
      run.push_back(segment.status == SegmentStatus::kWaiting ? kKeptWaiting : kKeptFree);
    }
    runs.push_back(std::move(run));
    begin = end;
  }
  return runs;
}

std::unexpected<Error> broken(const std::string& message) { return fail(Code::kInvalid, message, kWhere); }

Result<std::vector<std::string>> texts(const Document* value, const char* name) {
  std::vector<std::string> result;
  if (value == nullptr) return result;
  if (!value->is_array()) return broken(std::string(name) + " is no list");
  for (const Document& item : *value) {
    if (!item.is_string()) return broken(std::string(name) + " holds something that is no text");
    result.push_back(item.get<std::string>());
  }
  return result;
}

// One run appended to `group`; `last` is the domain named last in it.
Result<void> unfold(const Document& run, GroupSummary& group, std::vector<std::string>& last,
                    std::int64_t& budget) {
  if (!run.is_array() || run.size() < 2 || !run[0].is_number_integer() || !run[1].is_number_integer()) {
    return broken("a run is a list [segments, kept, values…]");
  }
  const auto count = run[0].get<std::int64_t>();
  const auto kept = run[1].get<std::int64_t>();
  if (count < 1) return broken("a run of " + std::to_string(count) + " segments; at least 1 is right");
  if (count > budget) return fail(Code::kTooLarge, "unfolds to more than 200,000 segments", kWhere);
  budget -= count;
  SegmentSummary segment;
  if (kept < 0) {
    if ((kept != kKeptWaiting && kept != kKeptFree) || run.size() > 2)
      return broken("kept is -1 or -2 alone, or from 0");
    segment.status = kept == kKeptWaiting ? SegmentStatus::kWaiting : SegmentStatus::kFree;
  } else {
    if (static_cast<std::uint64_t>(kept) > last.size()) {
      return broken("a run keeps " + std::to_string(kept) + " values of a path of " +
                    std::to_string(last.size()));
    }
    last.resize(static_cast<std::size_t>(kept));
    for (std::size_t i = 2; i < run.size(); ++i) {
      if (!run[i].is_string()) return broken("a domain holds something that is no text");
      last.push_back(run[i].get<std::string>());
    }
    segment.status = SegmentStatus::kPlaced;
    segment.domain = last;
  }
  group.segments.insert(group.segments.end(), static_cast<std::size_t>(count), segment);
  return {};
}

Result<GroupSummary> parse_group(const Document& value, std::int64_t& budget) {
  const Document* number = json::member(&value, "group");
  const Document* runs = json::member(&value, "runs");
  if (number == nullptr || !number->is_number_integer()) return broken("a group without its number");
  if (runs == nullptr || !runs->is_array()) return broken("a group without its runs");
  GroupSummary group;
  group.group = number->get<int>();
  auto whole = texts(json::member(&value, "whole"), "whole");
  if (!whole) return std::unexpected(whole.error());
  group.whole = std::move(*whole);
  std::vector<std::string> last;
  for (const Document& run : *runs) {
    if (auto unfolded = unfold(run, group, last, budget); !unfolded) return std::unexpected(unfolded.error());
  }
  return group;
}

}  // namespace

PlanSummary summarise(const engine::Plan& plan) {
  PlanSummary summary{plan.topology, plan.levels, {}};
  for (const engine::PlannedGroup& planned : plan.groups) {
    GroupSummary group{planned.group, planned.whole_domain, {}};
    for (const engine::PlannedSegment& segment : planned.segments) {
      const bool placed = segment.status == SegmentStatus::kPlaced;
      group.segments.push_back({segment.status, placed ? segment.domain : std::vector<std::string>()});
    }
    summary.groups.push_back(std::move(group));
  }
  return summary;
}

std::optional<std::string> plan_annotation(const PlanSummary& summary) {
  Document groups = Document::array();
  for (const GroupSummary& group : summary.groups) {
    Document one{{"group", group.group}, {"runs", runs_of(group.segments)}};
    if (!group.whole.empty()) one["whole"] = group.whole;
    groups.push_back(std::move(one));
  }
  const Document text{{"v", kVersion},
                      {"topology", summary.topology},
                      {"levels", summary.levels},
                      {"groups", std::move(groups)}};
  std::string result = text.dump();
  if (result.size() > kPlanAnnotationBytes) return std::nullopt;
  return result;
}

Result<PlanSummary> parse_plan_annotation(std::string_view text) {
  const auto document = json::decode(text, {.bytes = kPlanAnnotationBytes, .depth = 8});
  if (!document) return std::unexpected(Error{document.error().code, document.error().text(), kWhere});
  const Document* version = json::member(&*document, "v");
  if (version == nullptr || *version != kVersion) return broken("is of another version; 1 is known");
  const Document* groups = json::member(&*document, "groups");
  if (groups == nullptr || !groups->is_array()) return broken("has no groups");
  PlanSummary summary;
  const std::string* topology = json::text(json::member(&*document, "topology"));
  if (topology == nullptr) return broken("names no topology");
  summary.topology = *topology;
  auto levels = texts(json::member(&*document, "levels"), "levels");
  if (!levels) return std::unexpected(levels.error());
  summary.levels = std::move(*levels);
  std::int64_t budget = kMostSegments;
  for (const Document& value : *groups) {
    auto group = parse_group(value, budget);
    if (!group) return std::unexpected(group.error());
    summary.groups.push_back(std::move(*group));
  }
  return summary;
}

}  // namespace toposeg::webhook
