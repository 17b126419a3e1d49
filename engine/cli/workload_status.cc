#include "engine/cli/workload_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "common/base/text.h"
#include "engine/cli/common_domain.h"
#include "engine/cli/index_groups.h"
#include "engine/cli/index_ranges.h"
#include "engine/cli/pod_status.h"
#include "engine/placement/scope.h"

namespace toposeg::cli {
namespace {

using workload::Role;

// Where one pod belongs. Loose pods come behind all segments.
struct Place {
  bool loose = false;
  int segment = 0;
  Role role = Role::kWorker;
  friend auto operator<=>(const Place&, const Place&) = default;
};

Place place_of(const workload::Workload& workload, Role role, int index) {
  const auto segment = role == Role::kMaster ? std::nullopt : workload.segments.of(index);
  if (segment) return {false, *segment, Role::kWorker};
  return {true, 0, role};
}

// Every pod that was asked for or exists, by group, place and index.
using Groups = std::map<int, std::map<Place, std::map<int, PodStatus>>>;

Groups gather(const NamedWorkload& named, const std::vector<kube::Pod>& pods) {
  const workload::Workload& workload = named.normalised.workload;
  Groups groups;
  const auto put = [&](int group, PodStatus pod) {
    groups[group][place_of(workload, pod.role, pod.index)][pod.index] = std::move(pod);
  };
  const std::string why = workload.suspended ? "the workload is suspended" : "there is no such pod yet";
  for (int group = 0; group < workload.groups; ++group) {
    for (int index = 0; index < workload.segments.pods; ++index) {
      const Role role = leads(workload, index) ? Role::kLeader : Role::kWorker;
      put(group, {index, role, {}, {}, PodState::kMissing, why});
    }
    for (int index = 0; index < workload.masters; ++index) {
      put(group, {index, Role::kMaster, {}, {}, PodState::kMissing, why});
    }
  }
  for (const auto& [member, pod] : members_among(pods, named.makers)) {
    put(member.group, status_of(*pod, member));
  }
  return groups;
}

// Pods that wait for the same thing share a line: "pods 4-7: the reason".
std::vector<std::string> reasons_of(const std::vector<PodStatus>& pods) {
  IndexGroups waiting;
  for (const PodStatus& pod : pods) {
    if (pod.state != PodState::kBound) waiting.add(pod.reason, pod.index);
  }
  std::vector<std::string> lines;
  for (const auto& [reason, indices] : waiting.groups()) {
    const bool all = indices.size() == pods.size();
    const std::string_view pods_word = indices.size() == 1 ? "pod" : "pods";
    lines.push_back(all ? reason : fmt::format("{} {}: {}", pods_word, index_ranges(indices), reason));
  }
  return lines;
}

class Judge {
 public:
  Judge(const workload::Workload& workload, const std::optional<kube::Topology>& topology,
        const std::vector<kube::Node>& nodes)
      : workload_(workload), topology_(topology), domains_(topology, nodes) {}

  [[nodiscard]] GroupStanding group(int number,
                                    const std::map<Place, std::map<int, PodStatus>>& places) const {
    GroupStanding group;
    group.group = number;
    std::vector<PodStatus> everyone;
    for (const auto& [place, by_index] : places) {
      std::vector<PodStatus> pods;
      for (const auto& [index, pod] : by_index) pods.push_back(pod);
      everyone.insert(everyone.end(), pods.begin(), pods.end());
      group.segments.push_back(segment(place, std::move(pods)));
    }
    group.whole = domains_.common(everyone);
    const bool bound = std::all_of(everyone.begin(), everyone.end(),
                                   [](const auto& pod) { return pod.state == PodState::kBound; });
    if (bound && !holds(workload_.whole.required, group.whole)) {
      group.reasons.push_back(apart("all pods", *workload_.whole.required, group.whole));
    }
    return group;
  }

 private:
  [[nodiscard]] SegmentStanding segment(const Place& place, std::vector<PodStatus> pods) const {
    SegmentStanding result;
    if (!place.loose) {
      result.segment = place.segment;
      result.needed = place.segment < workload_.needed_segments;
    }
    result.reasons = reasons_of(pods);
    result.reached = domains_.common(pods);
    if (result.reasons.empty()) {
      result.standing = Standing::kPlaced;
      if (!place.loose && !holds(workload_.segment.required, result.reached)) {
        result.standing = Standing::kApart;
        result.reasons.push_back(apart("its pods", *workload_.segment.required, result.reached));
      }
      for (std::string& fault : domains_.faults(pods)) result.reasons.push_back(std::move(fault));
    }
    result.pods = std::move(pods);
    return result;
  }

  [[nodiscard]] bool holds(const std::optional<std::string>& required, const Reached& reached) const {
    if (!required || !topology_) return true;
    const auto wanted = domains_.level_of(*required);
    return !wanted || (reached.level && *reached.level >= *wanted);
  }

  [[nodiscard]] std::string apart(std::string_view whose, const std::string& required,
                                  const Reached& reached) const {
    const auto wanted = domains_.level_of(required);
    const std::string name = wanted ? engine::short_name(*topology_, *wanted) : required;
    const std::string shared =
        reached.level ? fmt::format("share {} {} only", engine::short_name(*topology_, *reached.level),
                                    join(reached.domain, "/"))
                      : std::string("share no domain");
    return fmt::format("the required level {} does not hold: {} {}", name, whose, shared);
  }

  const workload::Workload& workload_;
  const std::optional<kube::Topology>& topology_;
  NodeDomains domains_;
};

Result<std::optional<kube::Topology>> topology_for(const workload::Workload& workload,
                                                   const kube::Cluster& cluster, const std::string& asked) {
  const std::string& name = asked.empty() ? workload.topology : asked;
  const auto& all = cluster.topologies;
  if (name.empty()) return all.size() == 1 ? std::optional(all.front()) : std::nullopt;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  for (const kube::Topology& each : all) names.push_back(each.name);
  return fail(Code::kNotFound, fmt::format("no topology is named {}; there {}", quote(name),
                                           names.empty() ? "is none" : "are: " + join(names, ", ")));
}

bool fine(const GroupStanding& group) {
  return group.reasons.empty() &&
         std::all_of(group.segments.begin(), group.segments.end(), [](const SegmentStanding& segment) {
           const bool optional = !segment.needed && segment.standing == Standing::kWaiting;
           return optional || segment.standing == Standing::kPlaced;
         });
}

}  // namespace

Result<WorkloadStanding> standing_of(const NamedWorkload& named, const kube::Cluster& cluster,
                                     const std::string& topology) {
  const workload::Workload& workload = named.normalised.workload;
  auto chosen = topology_for(workload, cluster, topology);
  if (!chosen) return std::unexpected(chosen.error());
  WorkloadStanding standing;
  standing.topology = std::move(*chosen);
  const Judge judge(workload, standing.topology, cluster.nodes);
  for (const auto& [number, places] : gather(named, cluster.pods)) {
    standing.groups.push_back(judge.group(number, places));
  }
  standing.placed = std::all_of(standing.groups.begin(), standing.groups.end(), fine);
  return standing;
}

}  // namespace toposeg::cli
