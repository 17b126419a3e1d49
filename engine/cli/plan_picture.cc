#include "engine/cli/plan_picture.h"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "engine/cli/dot.h"
#include "engine/cli/index_ranges.h"
#include "engine/cli/plan_words.h"

namespace toposeg::cli {
namespace {

using Guests = std::map<std::string, std::map<std::string, std::vector<int>>>;  // host -> who -> pods

void add_guests(const PlannedWorkload& planned, Guests& guests) {
  const std::string& name = planned.workload().identity.name;
  for (const engine::PlannedGroup& group : planned.plan.groups) {
    const std::string head =
        planned.plan.groups.size() > 1 ? fmt::format("{} group {}", name, group.group) : name;
    for (const engine::PlannedSegment& segment : group.segments) {
      for (const engine::PlannedPod& pod : segment.pods) {
        if (!pod.host.empty())
          guests[pod.host][fmt::format("{} segment {}", head, segment.segment)].push_back(pod.index);
      }
    }
    for (const engine::PlannedPod& pod : group.loose) {
      if (!pod.host.empty())
        guests[pod.host][fmt::format("{} {}", head, word(pod.role))].push_back(pod.index);
    }
  }
}

std::string host_label(const std::string& host, const Guests& guests) {
  std::string label = host;
  for (const auto& [who, pods] : guests.at(host)) label += fmt::format("\n{}: {}", who, index_ranges(pods));
  return label;
}

std::map<std::size_t, std::string> labels_of(const engine::TopologyView& view, const Guests& guests) {
  const std::vector<std::size_t> parents = parents_of(view);
  std::map<std::size_t, std::string> labels;
  for (std::size_t i = 0; i < view.domains.size(); ++i) {
    const engine::DomainView& leaf = view.domains[i];
    if (leaf.node.empty() || !guests.contains(leaf.node)) continue;
    const std::size_t shown = repeats_parent(view, i) ? parents[i] : i;
    labels[shown] = host_label(leaf.node, guests);
    for (std::size_t at = shown; parents[at] != at;) {
      at = parents[at];
      labels.try_emplace(at, view.domains[at].path.back());
    }
  }
  return labels;
}

}  // namespace

void print_plan_picture(std::ostream& out, std::span<const PlannedWorkload> workloads, Session& session) {
  std::map<std::string, Guests> by_topology;
  for (const PlannedWorkload& planned : workloads) {
    if (!planned.plan.topology.empty()) add_guests(planned, by_topology[planned.plan.topology]);
  }
  for (const auto& [topology, guests] : by_topology) {
    const auto view = session.engine().view(topology, {});
    if (view) write_dot(out, *view, labels_of(*view, guests));
  }
}

}  // namespace toposeg::cli
