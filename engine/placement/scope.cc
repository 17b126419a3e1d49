#include "engine/placement/scope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

namespace toposeg::engine {

namespace {

Result<int> level_index(const std::optional<std::string>& label, const Tree& tree) {
  if (!label) return kAnywhere;
  const std::optional<int> level = tree.level_of_label(*label);
  if (level) return *level;
  return fail(Code::kNotFound, fmt::format("topology \"{}\" has no level \"{}\"; its levels are {}",
                                           tree.topology(), *label, fmt::join(tree.level_labels(), ", ")));
}

}  // namespace

const kube::PodSpec& Scope::shape(const Seat& seat) const {
  const bool extra = seat.part == Part::kMaster || (seat.index == 0 && leader_differs());
  return extra && workload.extra_spec ? *workload.extra_spec : workload.worker;
}

bool Scope::leader_stands_apart() const {
  return workload.extra == workload::ExtraRole::kLeaderApart ||
         workload.segments.rule == workload::SegmentRule::kLeaderExcluded;
}

bool Scope::leader_differs() const {
  const bool leader = workload.extra == workload::ExtraRole::kLeaderInFirst || leader_stands_apart();
  return leader && workload.extra_spec && !same_shape(*workload.extra_spec, workload.worker);
}

std::optional<int> Scope::segment_of(const Seat& seat) const {
  if (seat.part == Part::kMaster) return std::nullopt;
  return workload.segments.of(seat.index);
}

Owner owner_of(const workload::Identity& identity) {
  return {identity.namespace_, identity.api_group + '/' + identity.kind, identity.name};
}

Seat seat_of(const workload::Member& member) {
  return {member.group, member.role == workload::Role::kMaster ? Part::kMaster : Part::kMember, member.index};
}

workload::Role role_of(const workload::Workload& workload, const Seat& seat) {
  if (seat.part == Part::kMaster) return workload::Role::kMaster;
  const bool led = workload.extra == workload::ExtraRole::kLeaderInFirst ||
                   workload.extra == workload::ExtraRole::kLeaderApart ||
                   workload.segments.rule != workload::SegmentRule::kPlain;
  return led && seat.index == 0 ? workload::Role::kLeader : workload::Role::kWorker;
}

Result<LevelIndices> level_indices(const workload::Workload& workload, const Tree& tree) {
  LevelIndices levels;
  const std::pair<const std::optional<std::string>*, int*> wanted[] = {
      {&workload.segment.required, &levels.segment_required},
      {&workload.segment.preferred, &levels.segment_preferred},
      {&workload.whole.required, &levels.whole_required},
      {&workload.whole.preferred, &levels.whole_preferred},
  };
  for (const auto& [label, index] : wanted) {
    const Result<int> level = level_index(*label, tree);
    if (!level) return std::unexpected(level.error());
    *index = *level;
  }
  if (levels.segment_preferred <= levels.segment_required) levels.segment_preferred = kAnywhere;
  if (levels.whole_preferred <= levels.whole_required) levels.whole_preferred = kAnywhere;
  return levels;
}

std::string short_name(const kube::Topology& topology, int level) {
  const kube::TopologyLevel& wanted = topology.levels[static_cast<std::size_t>(level)];
  if (!wanted.alias.empty()) return wanted.alias;
  constexpr std::string_view kPrefix = "topology-";
  std::string_view name = wanted.node_label;
  name.remove_prefix(name.rfind('/') == std::string_view::npos ? 0 : name.rfind('/') + 1);
  if (name.starts_with(kPrefix) && name.size() > kPrefix.size()) name.remove_prefix(kPrefix.size());
  return std::string(name);
}

}  // namespace toposeg::engine
