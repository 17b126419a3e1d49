#include "engine/cli/status_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>
#include <utility>

#include "common/base/text.h"
#include "engine/cli/index_groups.h"
#include "engine/cli/index_ranges.h"
#include "engine/cli/plan_words.h"
#include "engine/cli/planned_workload.h"
#include "engine/cli/status_words.h"
#include "engine/cli/table.h"
#include "engine/placement/scope.h"

namespace toposeg::cli {
namespace {

constexpr std::size_t kNodesShown = 3;

Paint paint(Standing standing) {
  switch (standing) {
    case Standing::kPlaced:
      return Paint::kGood;
    case Standing::kApart:
      return Paint::kDoubtful;
    case Standing::kWaiting:
      break;
  }
  return Paint::kBad;
}

std::string level_name(const WorkloadStanding& standing, std::optional<int> level) {
  return standing.topology && level ? engine::short_name(*standing.topology, *level) : std::string();
}

std::string pods_text(const SegmentStanding& segment) {
  std::vector<int> indices;
  for (const PodStatus& pod : segment.pods) indices.push_back(pod.index);
  const workload::Role role = segment.segment ? workload::Role::kWorker : segment.pods.front().role;
  if (role == workload::Role::kWorker) return index_ranges(std::move(indices));
  return fmt::format("{}-{}", word(role), index_ranges(std::move(indices)));
}

std::size_t bound(const SegmentStanding& segment) {
  return static_cast<std::size_t>(
      std::count_if(segment.pods.begin(), segment.pods.end(),
                    [](const auto& pod) { return pod.state == PodState::kBound; }));
}

// host-1:0-3;host-2:4, without blanks inside the cell; beyond `most` nodes only how many more.
std::string nodes_text(const SegmentStanding& segment, std::size_t most) {
  IndexGroups nodes;
  for (const PodStatus& pod : segment.pods) {
    if (!pod.node.empty()) nodes.add(pod.node, pod.index);
  }
  std::vector<std::string> parts;
  for (const auto& [node, indices] : nodes.groups()) {
    if (parts.size() == most) {
      parts.push_back(fmt::format("+{}", nodes.groups().size() - most));
      break;
    }
    parts.push_back(node + ":" + index_ranges(indices));
  }
  return join(parts, ";");
}

// "rack", or "rack(preferred)"; of the segment for its pods, of the whole for those in none.
std::string asked_text(const WorkloadStanding& standing, const workload::Levels& levels) {
  const auto name = [&](const std::string& label) {
    if (!standing.topology) return label;
    const auto& all = standing.topology->levels;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& level) { return level.node_label == label; });
    if (found == all.end()) return label;
    return engine::short_name(*standing.topology, static_cast<int>(found - all.begin()));
  };
  std::vector<std::string> parts;
  if (levels.required) parts.push_back(name(*levels.required));
  if (levels.preferred) parts.push_back(name(*levels.preferred) + "(preferred)");
  return join(parts, ";");
}

void add_row(Table& table, const GroupStanding& group, const SegmentStanding& segment,
             const WorkloadStanding& standing, const workload::Workload& workload, bool wide) {
  std::vector<Cell> row{{std::to_string(group.group)},
                        {segment.segment ? std::to_string(*segment.segment) : ""},
                        {pods_text(segment)},
                        {fmt::format("{}/{}", bound(segment), segment.pods.size())},
                        {std::string(word(segment.standing)), paint(segment.standing)}};
  if (wide) row.push_back({asked_text(standing, segment.segment ? workload.segment : workload.whole)});
  row.push_back({level_name(standing, segment.reached.level)});
  row.push_back({path_text(segment.reached.domain)});
  row.push_back({nodes_text(segment, wide ? segment.pods.size() : kNodesShown)});
  table.add(std::move(row));
}

struct Counts {
  int segments = 0;
  int placed = 0;
  int apart = 0;
  int waiting = 0;
  std::size_t pods = 0;
  std::size_t bound = 0;
};

Counts count(const WorkloadStanding& standing) {
  Counts counts;
  for (const GroupStanding& group : standing.groups) {
    for (const SegmentStanding& segment : group.segments) {
      counts.pods += segment.pods.size();
      counts.bound += bound(segment);
      if (!segment.segment) continue;
      ++counts.segments;
      if (segment.standing == Standing::kPlaced) ++counts.placed;
      if (segment.standing == Standing::kApart) ++counts.apart;
      if (segment.standing == Standing::kWaiting) ++counts.waiting;
    }
  }
  return counts;
}

std::string summary(const WorkloadStanding& standing) {
  const Counts counts = count(standing);
  std::string pods = fmt::format("{} of {} pods have a node", counts.bound, counts.pods);
  if (counts.segments == 0) return pods;
  std::string text = fmt::format("{} of {} segments placed", counts.placed, counts.segments);
  if (counts.waiting > 0) text += fmt::format(", {} waiting", counts.waiting);
  if (counts.apart > 0) text += fmt::format(", {} apart", counts.apart);
  return text + "; " + pods;
}

// What a reason is about: "group 1, segment 2: ", as far as there is more than one.
std::string subject(const WorkloadStanding& standing, const GroupStanding& group,
                    const SegmentStanding* segment) {
  std::vector<std::string> parts;
  if (standing.groups.size() > 1) parts.push_back(fmt::format("group {}", group.group));
  if (segment != nullptr && segment->segment) parts.push_back(fmt::format("segment {}", *segment->segment));
  if (segment != nullptr && !segment->segment) parts.push_back(pods_text(*segment));
  return parts.empty() ? "" : join(parts, ", ") + ": ";
}

void print_reasons(std::ostream& out, const WorkloadStanding& standing) {
  for (const GroupStanding& group : standing.groups) {
    for (const SegmentStanding& segment : group.segments) {
      for (const std::string& reason : segment.reasons) {
        out << "  " << subject(standing, group, &segment) << reason << '\n';
      }
    }
    for (const std::string& reason : group.reasons) {
      out << "  " << subject(standing, group, nullptr) << reason << '\n';
    }
  }
}

}  // namespace

void print_status_table(std::ostream& out, const NamedWorkload& named, const WorkloadStanding& standing,
                        bool wide, bool colour) {
  std::vector<Column> columns{{"GROUP"}, {"SEGMENT"}, {"PODS"}, {"BOUND"}, {"STATUS"}};
  if (wide) columns.push_back({"ASKED"});
  for (const char* heading : {"LEVEL", "DOMAIN", "NODES"}) columns.push_back({heading});
  Table table(std::move(columns));
  const workload::Workload& workload = named.normalised.workload;
  bool rows = false;
  for (const GroupStanding& group : standing.groups) {
    for (const SegmentStanding& segment : group.segments) {
      add_row(table, group, segment, standing, workload, wide);
      rows = true;
    }
  }
  if (rows) {
    table.print(out, colour);
    out << '\n';
  }
  out << title(workload.identity) << ": " << summary(standing) << '\n';
  print_reasons(out, standing);
}

}  // namespace toposeg::cli
