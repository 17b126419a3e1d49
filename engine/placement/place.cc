// Placing one pod.
#include <optional>

#include "engine/capacity/view.h"
#include "engine/placement/decision.h"
#include "engine/placement/pod_placer.h"
#include "engine/placement/state.h"
#include "engine/placement/trial.h"

namespace toposeg::engine {

namespace {

// Whether a pod may be counted by its template's shape. Tolerations are left out: the API server adds its own
// to every pod, and a template that lacks those fits nowhere else than the pod.
bool like(const kube::PodSpec& pod, const kube::PodSpec& shape) {
  return pod.requests == shape.requests && pod.host_ports == shape.host_ports &&
         pod.node_selector == shape.node_selector && pod.has_affinity == shape.has_affinity &&
         pod.affinity == shape.affinity && pod.anti_affinity == shape.anti_affinity;
}

// The workload with the pod's own spec in place of the template's, where they differ.
std::optional<workload::Workload> adapted(const workload::Workload& workload, const Scope& scope,
                                          const Seat& seat, const kube::PodSpec& pod) {
  const kube::PodSpec& shape = scope.shape(seat);
  if (like(pod, shape)) return std::nullopt;
  workload::Workload own = workload;
  const bool extra = role_of(workload, seat) != workload::Role::kWorker && workload.extra_spec;
  if (extra) {
    own.extra_spec = pod;
  } else {
    own.worker = pod;
  }
  return own;
}

}  // namespace

PodDecision Engine::State::place(const workload::Member& member, const workload::Workload& workload,
                                 const kube::PodSpec& pod, const PlanOptions& plan_options) {
  if (!workload.constrained()) return bare_decision(workload, member);
  const Owner owner = owner_of(member.workload);
  if (!plan_options.reserve || member.workload.name.empty()) {
    const Trial trial(ledger, owner);
    return place_pod(member, workload, pod, plan_options);
  }
  PodDecision decision = place_pod(member, workload, pod, plan_options);
  const Queue::Place place{member.group, decision.segment.value_or(-1)};
  if (decision.status == SegmentStatus::kWaiting) {
    queue.wait(owner, workload, place, decision.reason, clock.now());
  } else {
    queue.placed(owner, place);
  }
  ledger.prune(owner);
  return decision;
}

PodDecision Engine::State::place_pod(const workload::Member& member, const workload::Workload& workload,
                                     const kube::PodSpec& pod, const PlanOptions& plan_options) {
  Result<Scope> scope = scope_of(workload, member.group);
  if (!scope) {
    PodDecision decision = bare_decision(workload, member);
    decision.reason = scope.error().message;
    return decision;
  }
  scope->owner = owner_of(member.workload);
  if (ledger.settle(scope->owner, member.workload.uid, Ledger::Word::kFirm) == Ledger::Settled::kFresh) {
    roster.recount(scope->owner, member.workload.uid);
  }
  const std::optional<workload::Workload> own = adapted(workload, *scope, seat_of(member), pod);
  const Scope final_scope{own ? *own : workload, scope->owner,  member.group, scope->topology,
                          scope->tree,           scope->levels, scope->done};
  Desk tools = desk(plan_options);
  const bool whole_known = known_as(scope->owner) != nullptr;
  return PodPlacer(tools, final_scope, member, pod, whole_known, node_count_).place();
}

}  // namespace toposeg::engine
