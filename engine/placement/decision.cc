#include "engine/placement/decision.h"

#include <algorithm>

#include "engine/placement/anchor.h"

namespace toposeg::engine {

namespace {

// Labels of the chosen domain that a preferred level makes required, by the workload's mode.
std::size_t firm_length(const Scope& scope, Vertex domain, std::size_t cluster_nodes) {
  switch (scope.workload.mode) {
    case workload::PreferredMode::kSoft:
      return 0;
    case workload::PreferredMode::kPinned:
      return static_cast<std::size_t>(scope.tree->level(domain)) + 1;
    case workload::PreferredMode::kAnchored:
      return anchor_length(*scope.tree, domain, cluster_nodes);
  }
  return 0;
}

std::size_t required_length(const Scope& scope, bool in_segment, Vertex domain, std::size_t cluster_nodes) {
  auto length = static_cast<std::size_t>(scope.levels.whole_required) + 1;
  if (in_segment) length = std::max(length, static_cast<std::size_t>(scope.levels.segment_required) + 1);
  const bool preferred = scope.levels.whole_preferred != kAnywhere ||
                         (in_segment && scope.levels.segment_preferred != kAnywhere);
  return preferred ? std::max(length, firm_length(scope, domain, cluster_nodes)) : length;
}

}  // namespace

PodDecision bare_decision(const workload::Workload& workload, const workload::Member& member) {
  PodDecision decision;
  decision.topology = workload.topology;
  decision.segments = workload.segments.count();
  if (member.role == workload::Role::kMaster) return decision;
  decision.segment = workload.segments.of(member.index);
  if (!decision.segment) return decision;
  decision.segment_rank = workload.segments.rank(member.index);
  decision.segments = std::max(decision.segments, *decision.segment + 1);
  decision.segment_size = std::max(workload.segments.pods_in(*decision.segment), decision.segment_rank + 1);
  return decision;
}

PodDecision decide(PodDecision bare, const Desk& desk, const Scope& scope, const SeatEntry& entry,
                   std::size_t cluster_nodes) {
  const Tree& tree = *scope.tree;
  PodDecision decision = std::move(bare);
  decision.levels = tree.level_labels();
  decision.host = entry.node;
  const kube::Node* node = desk.books.node(entry.node);
  const std::string* label = node == nullptr ? nullptr : kube::find(node->labels, "kubernetes.io/hostname");
  decision.host_label_value = label == nullptr ? entry.node : *label;
  if (entry.spot == nullptr) return decision;

  const std::optional<Vertex> domain = tree.find(entry.spot->domain);
  const std::optional<Vertex> whole = tree.find(entry.spot->whole);
  const Vertex chosen = domain.value_or(kRoot) != kRoot ? *domain : whole.value_or(kRoot);
  if (chosen == kRoot) return decision;
  decision.status = SegmentStatus::kPlaced;
  decision.level = tree.level(chosen);
  decision.preferred = tree.path(chosen);
  const std::size_t length = required_length(scope, decision.segment.has_value(), chosen, cluster_nodes);
  decision.required = decision.preferred;
  decision.required.resize(std::min(length, decision.required.size()));
  return decision;
}

}  // namespace toposeg::engine
