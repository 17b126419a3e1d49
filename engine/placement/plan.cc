// Planning a whole workload.
#include <fmt/format.h>

#include <algorithm>

#include "engine/placement/holds.h"
#include "engine/placement/joint_plan.h"
#include "engine/placement/state.h"
#include "engine/placement/trial.h"

namespace toposeg::engine {

namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";

void warn_about(const kube::PodSpec& spec, std::string_view pods, const std::vector<std::string>& levels,
                std::vector<std::string>& warnings) {
  for (const std::string& constraint : spec.uncounted) {
    warnings.push_back(fmt::format("{} pods: {} cannot be counted when choosing hosts", pods, constraint));
  }
  for (const std::string& key : spec.anti_affinity) {
    if (key == kHostname || std::find(levels.begin(), levels.end(), key) != levels.end()) continue;
    warnings.push_back(fmt::format(
        "{} pods: anti-affinity to themselves on {}, which is no level, is not counted", pods, key));
  }
}

std::vector<std::string> shape_warnings(const workload::Workload& workload,
                                        const std::vector<std::string>& levels) {
  std::vector<std::string> warnings;
  warn_about(workload.worker, "worker", levels, warnings);
  if (workload.extra_spec) {
    const bool master = workload.extra == workload::ExtraRole::kMaster;
    warn_about(*workload.extra_spec, master ? "Master" : "leader", levels, warnings);
  }
  return warnings;
}

// With one group this is exact.
void plan_one_by_one(Desk& tools, const std::vector<Scope>& scopes, bool keep_planned, Plan& plan) {
  Tally tally;
  for (const Scope& scope : scopes)
    plan.groups.push_back(GroupPlanner(tools, scope).plan(tally, keep_planned));
  plan.objective = std::move(tally.objective);
  plan.fits = tally.fits;
  plan.proven = tally.proven;
}

}  // namespace

Plan Engine::State::plan(const workload::Workload& workload, const PlanOptions& plan_options) {
  const Owner owner = owner_of(workload.identity);
  const bool can_hold = !workload.identity.name.empty() && workload.owns_pods;
  if (plan_options.reserve && can_hold) {
    workloads_.insert_or_assign(owner, workload);
    graves.erase(owner);
    if (!workload.suspended) {
      Plan plan = plan_groups(workload, plan_options);
      const bool none = plan_options.all_or_none && !plan.fits;
      if (none) give_back_planned(owner);
      remember_waiting(workload, plan, none);
      return plan;
    }
    give_back_planned(owner);
    queue.leave(owner);
  }
  const Trial trial(ledger, owner);
  return plan_groups(workload, plan_options);
}

Plan Engine::State::unconstrained_plan(const workload::Workload& workload) const {
  Plan plan;
  plan.topology = workload.topology;
  plan.warnings = shape_warnings(workload, {});
  for (int number = 0; number < workload.groups; ++number) {
    PlannedGroup group;
    group.group = number;
    for (int segment = 0; segment < workload.segments.count(); ++segment) {
      PlannedSegment planned;
      planned.segment = segment;
      planned.needed = segment < workload.needed_segments;
      planned.status = SegmentStatus::kFree;
      const int first = workload.segments.first(segment);
      for (int i = 0; i < workload.segments.pods_in(segment); ++i) {
        const workload::Role role = role_of(workload, Seat{number, Part::kMember, first + i});
        planned.pods.push_back({.index = first + i, .role = role, .host = {}});
      }
      group.segments.push_back(std::move(planned));
    }
    plan.groups.push_back(std::move(group));
  }
  return plan;
}

Plan Engine::State::plan_groups(const workload::Workload& workload, const PlanOptions& plan_options) {
  const Owner owner = owner_of(workload.identity);
  // Without a uid it is being created: whatever an older one of the name held is over.
  if (workload.identity.uid.empty()) ledger.drop(owner);
  if (!workload.constrained()) return unconstrained_plan(workload);
  Plan plan;
  plan.topology = workload.topology;
  Result<Scope> scope = scope_of(workload, 0);
  if (!scope) {
    plan.refused.push_back(scope.error());
    plan.fits = false;
    return plan;
  }
  plan.topology = scope->tree->topology();
  plan.levels = scope->tree->level_labels();
  plan.warnings = shape_warnings(workload, plan.levels);
  if (ledger.settle(owner, workload.identity.uid, Ledger::Word::kFirm) == Ledger::Settled::kFresh) {
    roster.recount(owner, workload.identity.uid);
  }
  Desk tools = desk(plan_options);
  std::vector<Scope> scopes;
  for (scope->group = 0; scope->group < workload.groups; ++scope->group) scopes.push_back(*scope);
  // What is kept for earlier workloads only the planner of one group leaves out.
  const bool together = !plan_options.keep_planned && needs_joint_plan(tools, scopes);
  if (together && can_plan_jointly(tools, scopes) && !is_held_back(tools, scopes.front())) {
    plan_jointly(tools, scopes, plan);
  } else {
    plan_one_by_one(tools, scopes, plan_options.keep_planned, plan);
    plan.proven = plan.proven && !together;
  }
  give_back_unwanted(owner, workload);
  ledger.prune(owner);
  return plan;
}

// Who still waits keeps its turn.
void Engine::State::remember_waiting(const workload::Workload& workload, const Plan& plan, bool as_a_whole) {
  const Owner owner = owner_of(workload.identity);
  const Instant now = clock.now();
  for (const PlannedGroup& group : plan.groups) {
    for (const PlannedSegment& segment : group.segments) {
      const Queue::Place place{group.group, segment.segment};
      if (as_a_whole || segment.status == SegmentStatus::kWaiting) {
        queue.wait(owner, workload, place, segment.reasons.empty() ? "" : segment.reasons[0], now);
      } else {
        queue.placed(owner, place);
      }
    }
    const bool homeless = std::any_of(group.loose.begin(), group.loose.end(),
                                      [](const PlannedPod& pod) { return pod.host.empty(); });
    const Queue::Place outside{group.group, -1};
    if (homeless && workload.whole.required) {
      queue.wait(owner, workload, outside, group.reasons.back(), now);
    } else {
      queue.placed(owner, outside);
    }
  }
}

}  // namespace toposeg::engine
