#include "engine/cli/plan_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <ostream>
#include <set>
#include <utility>

#include "common/base/text.h"
#include "engine/cli/index_ranges.h"
#include "engine/cli/plan_words.h"
#include "engine/cli/table.h"

namespace toposeg::cli {
namespace {

using engine::PlannedGroup;
using engine::PlannedPod;
using engine::PlannedSegment;
using engine::SegmentStatus;

Paint paint(SegmentStatus status) {
  switch (status) {
    case SegmentStatus::kPlaced:
      return Paint::kGood;
    case SegmentStatus::kFree:
      return Paint::kDoubtful;
    case SegmentStatus::kWaiting:
      break;
  }
  return Paint::kBad;
}

Cell status_cell(SegmentStatus status) { return {std::string(word(status)), paint(status)}; }

std::vector<int> indices(const std::vector<PlannedPod>& pods) {
  std::vector<int> result;
  for (const PlannedPod& pod : pods) result.push_back(pod.index);
  return result;
}

// host-1:0-3 host-2:4, without blanks inside the cell.
std::string hosts(const std::vector<PlannedPod>& pods) {
  std::vector<std::pair<std::string, std::vector<int>>> by_host;
  for (const PlannedPod& pod : pods) {
    if (pod.host.empty()) continue;
    const auto same = std::find_if(by_host.begin(), by_host.end(),
                                   [&](const auto& entry) { return entry.first == pod.host; });
    if (same == by_host.end()) {
      by_host.push_back({pod.host, {pod.index}});
    } else {
      same->second.push_back(pod.index);
    }
  }
  std::vector<std::string> parts;
  for (const auto& [host, pods_there] : by_host) parts.push_back(host + ":" + index_ranges(pods_there));
  return join(parts, ";");
}

class Rows {
 public:
  Rows(const PlannedWorkload& planned, const Session& session, bool wide, Table& table)
      : planned_(planned), session_(session), wide_(wide), table_(table) {}

  void add() {
    for (const PlannedGroup& group : planned_.plan.groups) {
      for (const PlannedSegment& segment : group.segments) add_segment(group, segment);
      std::map<workload::Role, std::vector<PlannedPod>> loose;
      for (const PlannedPod& pod : group.loose) loose[pod.role].push_back(pod);
      for (const auto& [role, pods] : loose) add_loose(group, role, pods);
    }
  }

 private:
  void add_segment(const PlannedGroup& group, const PlannedSegment& segment) {
    std::string level = segment.level ? level_name(*segment.level) : "";
    if (segment.climbed > 0 && segment.level) level += fmt::format("(+{})", segment.climbed);
    add_row(group, std::to_string(segment.segment), index_ranges(indices(segment.pods)),
            status_cell(segment.status), std::move(level), path_text(segment.domain), segment.pods);
  }

  void add_loose(const PlannedGroup& group, workload::Role role, const std::vector<PlannedPod>& pods) {
    std::string names = index_ranges(indices(pods));
    if (role != workload::Role::kWorker) names = fmt::format("{}-{}", word(role), names);
    add_row(group, "", std::move(names), status_cell(status_of(pods, planned_.workload().constrained())),
            group.whole_level ? level_name(*group.whole_level) : "", path_text(group.whole_domain), pods);
  }

  void add_row(const PlannedGroup& group, std::string segment, std::string pods, Cell status,
               std::string level, std::string domain, const std::vector<PlannedPod>& placed) {
    std::vector<Cell> row{{planned_.workload().identity.name},
                          {std::to_string(group.group)},
                          {std::move(segment)},
                          {std::move(pods)},
                          std::move(status),
                          {std::move(level)},
                          {std::move(domain)}};
    if (wide_) row.push_back({hosts(placed)});
    table_.add(std::move(row));
  }

  [[nodiscard]] std::string level_name(int level) const {
    return session_.level_name(planned_.plan.topology, level);
  }

  const PlannedWorkload& planned_;
  const Session& session_;
  bool wide_;
  Table& table_;
};

struct Counts {
  int segments = 0;
  int placed = 0;
  int waiting = 0;
  int free = 0;
};

Counts count(const engine::Plan& plan) {
  Counts counts;
  for (const PlannedGroup& group : plan.groups) {
    for (const PlannedSegment& segment : group.segments) {
      ++counts.segments;
      if (segment.status == SegmentStatus::kPlaced) ++counts.placed;
      if (segment.status == SegmentStatus::kWaiting) ++counts.waiting;
      if (segment.status == SegmentStatus::kFree) ++counts.free;
    }
  }
  return counts;
}

std::string summary_of_plan(const PlannedWorkload& planned, const Session& session) {
  const Counts counts = count(planned.plan);
  if (!planned.workload().constrained()) return "asks for no level: the scheduler places it freely";
  if (counts.segments == 0) return planned.plan.fits ? "every pod has a place" : "does not fit";
  std::string text = fmt::format("{} of {} segments placed", counts.placed, counts.segments);
  if (counts.waiting > 0) text += fmt::format(", {} waiting", counts.waiting);
  if (counts.free > 0) text += fmt::format(", {} free", counts.free);
  if (!planned.plan.fits) text += "; it does not fit now";
  if (planned.plan.proven) return text;
  const std::optional<engine::PlanGap>& gap = planned.plan.gap;
  if (!gap) return text + "; the search ran out of time, a better plan may exist";
  const std::string level = gap->level ? session.level_name(planned.plan.topology, *gap->level) : "node";
  text += "; a better plan may exist: " + gap_text(*gap, level);
  return text;
}

std::string summary(const PlannedWorkload& planned, const Session& session) {
  switch (planned.outcome) {
    case Outcome::kRefused:
      return "refused";
    case Outcome::kUnfit:
      if (!planned.causes.empty()) return "cannot be planned";
      break;
    case Outcome::kPlaced:
      break;
  }
  return summary_of_plan(planned, session);
}

void print_summary(std::ostream& out, const PlannedWorkload& planned, const Session& session) {
  out << title(planned.workload().identity) << ": " << summary(planned, session) << '\n';
  const bool several = planned.plan.groups.size() > 1;
  std::set<std::string> said;
  const auto say = [&](const PlannedGroup& group, const std::string& reason) {
    const std::string line = (several ? fmt::format("group {}: ", group.group) : "") + reason;
    if (said.insert(line).second) out << "  " << line << '\n';
  };
  for (const PlannedGroup& group : planned.plan.groups) {
    for (const PlannedSegment& segment : group.segments) {
      for (const std::string& reason : segment.reasons) say(group, reason);
    }
    for (const std::string& reason : group.reasons) say(group, reason);
  }
}

}  // namespace

void print_plan_table(std::ostream& out, std::span<const PlannedWorkload> workloads, const Session& session,
                      bool wide, bool colour) {
  std::vector<Column> columns{{"WORKLOAD"}, {"GROUP"}, {"SEGMENT"}, {"PODS"},
                              {"STATUS"},   {"LEVEL"}, {"DOMAIN"}};
  if (wide) columns.push_back({"HOSTS"});
  Table table(std::move(columns));
  bool rows = false;
  for (const PlannedWorkload& planned : workloads) {
    Rows(planned, session, wide, table).add();
    rows = rows || !planned.plan.groups.empty();
  }
  if (rows) {
    table.print(out, colour);
    out << '\n';
  }
  for (const PlannedWorkload& planned : workloads) print_summary(out, planned, session);
}

}  // namespace toposeg::cli
