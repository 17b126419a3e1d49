#include "engine/simulation/planner_policy.h"

namespace toposeg::simulation {
namespace {

// Longer than any trace: a job's space is given back at its end, not before.
constexpr std::chrono::seconds kForEver = std::chrono::hours(24 * 365 * 100);

std::optional<std::string> label(const Site& site, int level) {
  if (level == engine::kAnywhere) return std::nullopt;
  return site.tree->level_labels()[static_cast<std::size_t>(level)];
}

bool add_hosts(const Site& site, const std::vector<engine::PlannedPod>& pods,
               std::vector<engine::Vertex>& hosts) {
  for (const engine::PlannedPod& pod : pods) {
    const auto leaf = site.tree->leaf(pod.host);
    if (!leaf) return false;
    hosts.push_back(*leaf);
  }
  return true;
}

// None when a pod has no host.
std::optional<Placement> placement_of(const engine::Plan& plan, const Site& site) {
  Placement placement;
  for (const engine::PlannedGroup& group : plan.groups) {
    for (const engine::PlannedSegment& segment : group.segments) {
      if (!add_hosts(site, segment.pods, placement.emplace_back())) return std::nullopt;
    }
    if (!group.loose.empty() && !add_hosts(site, group.loose, placement.emplace_back())) return std::nullopt;
  }
  return placement;
}

}  // namespace

workload::Workload workload_of(const Job& job, const Site& site) {
  workload::Workload workload;
  workload.identity = {"toposeg.io", "SimulatedJob", "simulation", job.name, ""};
  workload.segments = {job.pods, job.segment, workload::SegmentRule::kPlain};
  workload.needed_segments = workload.segments.count();
  workload.topology = site.topology.name;
  workload.segment = {label(site, job.levels.segment_required), label(site, job.levels.segment_preferred)};
  workload.whole = {label(site, job.levels.whole_required), label(site, job.levels.whole_preferred)};
  if (!workload.constrained()) workload.whole.preferred = label(site, 0);
  workload.worker = job.pod;
  return workload;
}

PlannerPolicy::PlannerPolicy(const Site& site, config::Passing passing)
    : site_(site),
      engine_({.plan_ttl = kForEver, .pod_ttl = kForEver, .group_ttl = kForEver, .passing = passing},
              clock_) {
  engine_.replace(site.cluster);
}

std::optional<Placement> PlannerPolicy::place(const Job& job, Floor& floor) {
  (void)floor;  // it keeps books of its own, as in a cluster
  const workload::Workload workload = workload_of(job, site_);
  const engine::Plan plan = engine_.plan(workload, {.reserve = true, .all_or_none = true});
  if (!plan.fits) return std::nullopt;
  std::optional<Placement> placement = placement_of(plan, site_);
  // What only prefers a level has no turn in the engine: in a cluster its pods are there and wait one by one.
  if (!placement) engine_.forget_workload(workload.identity);
  return placement;
}

void PlannerPolicy::ended(const Job& job) { engine_.forget_workload(workload_of(job, site_).identity); }

}  // namespace toposeg::simulation
