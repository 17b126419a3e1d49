#include "engine/placement/joint_plan.h"

#include <algorithm>
#include <utility>

#include "engine/joint/joint_planner.h"

namespace toposeg::engine {

namespace {

// A question of more items would take longer than it is worth.
constexpr std::size_t kMostItems = 10'000;

JointProblem question_of(std::vector<GroupPlanner>& groups, const workload::Workload& workload) {
  JointProblem problem;
  problem.shapes.push_back(workload.worker);
  if (workload.extra_spec) problem.shapes.push_back(*workload.extra_spec);
  for (GroupPlanner& group : groups) group.ask_for_begun(problem);
  for (GroupPlanner& group : groups) group.ask_for_open(problem);
  return problem;
}

JointAnswer answer_to(const JointProblem& problem, Desk& desk, const std::shared_ptr<const Tree>& tree) {
  const ViewSource views = [&](const kube::PodSpec& shape, const std::optional<kube::PodSpec>& extra) {
    return desk.views.view(tree, shape, extra);
  };
  JointPlanner joint(tree, desk.books, desk.planner, views);
  joint.begin(problem, desk.deadline);
  JointLimits limits;
  limits.deadline = desk.deadline;
  joint.improve(limits);
  return joint.answer();
}

// Domains as the row has them; what is left over is what the used domains held, less the workers.
void write_domains(const JointProblem& problem, const JointAnswer& answer, int levels, Objective& objective) {
  const JointLayout layout(problem.items.size(), levels);
  std::int64_t workers = 0;
  for (std::size_t i = 0; i < problem.items.size(); ++i) {
    if (answer.pods[i].empty()) continue;
    for (const JointPart& part : problem.items[i].parts) workers += part.shape == 0 ? part.pods : 0;
  }
  for (int level = 0; level <= levels; ++level) {
    objective.domains.push_back(answer.cost[layout.domains(level)]);
    objective.leftover.push_back(std::max<std::int64_t>(0, answer.cost[layout.leftover(level)] - workers));
  }
}

PlanGap gap_of(const JointGap& gap, const Tree& tree) {
  using Kind = JointTerm::Kind;
  const bool counts_down = gap.term.kind <= Kind::kApart;
  PlanGap out;
  out.value = counts_down ? -gap.value : gap.value;
  out.bound = counts_down ? -gap.bound : gap.bound;
  switch (gap.term.kind) {
    case Kind::kNeeded:
      out.wish = PlanGap::Wish::kNeeded;
      break;
    case Kind::kOptional:
      out.wish = PlanGap::Wish::kOptional;
      break;
    case Kind::kApart:
      out.wish = PlanGap::Wish::kApart;
      break;
    case Kind::kPattern:
      out.wish = PlanGap::Wish::kEarlier;
      out.value = out.bound = 0;
      break;
    case Kind::kClimbed:
      out.wish = PlanGap::Wish::kClimbed;
      break;
    case Kind::kWhole:
      out.wish = PlanGap::Wish::kWhole;
      break;
    case Kind::kDomains:
      out.wish = PlanGap::Wish::kDomains;
      break;
    case Kind::kAltogether:
      out.wish = PlanGap::Wish::kAltogether;
      break;
    case Kind::kLeftover:
      out.wish = PlanGap::Wish::kLeftover;
      break;
  }
  const bool of_level = gap.term.kind >= Kind::kDomains && gap.term.level < tree.levels();
  if (of_level) out.level = gap.term.level;
  return out;
}

bool some_keep_others_away(const Desk& desk, const Scope& scope) {
  const OwnerEntry* owner = desk.ledger.find(scope.owner);
  if (owner == nullptr) return false;
  return std::any_of(owner->groups.begin(), owner->groups.end(), [&](const auto& group) {
    return std::any_of(group.second.seats.begin(), group.second.seats.end(), [&](const auto& seat) {
      return seat.second.committed() && repel_level(*scope.tree, scope.shape(seat.first)) >= 0;
    });
  });
}

}  // namespace

bool needs_joint_plan(Desk& desk, const std::vector<Scope>& scopes) {
  return scopes.size() > 1 || std::any_of(scopes.begin(), scopes.end(), [&](const Scope& scope) {
           return GroupPlanner(desk, scope).needs_joint_plan();
         });
}

bool can_plan_jointly(const Desk& desk, const std::vector<Scope>& scopes) {
  if (some_keep_others_away(desk, scopes.front())) return false;
  const workload::Segments& segments = scopes.front().workload.segments;
  const auto items = static_cast<std::size_t>(segments.size > 0 ? segments.count() : segments.pods);
  return items * scopes.size() <= kMostItems;
}

void plan_jointly(Desk& desk, const std::vector<Scope>& scopes, Plan& plan) {
  std::vector<GroupPlanner> planners;
  planners.reserve(scopes.size());
  for (const Scope& scope : scopes) planners.emplace_back(desk, scope);
  for (GroupPlanner& group : planners) group.begin();
  const std::shared_ptr<const Tree>& tree = scopes.front().tree;
  const JointProblem problem = question_of(planners, scopes.front().workload);
  const JointAnswer answer = answer_to(problem, desk, tree);
  Tally tally;
  for (GroupPlanner& group : planners) plan.groups.push_back(group.adopt(answer.pods, tally));
  for (std::size_t i = 0; i < planners.size(); ++i) planners[i].finish(plan.groups[i], tally);
  write_domains(problem, answer, tree->levels(), tally.objective);
  plan.objective = std::move(tally.objective);
  plan.fits = tally.fits;
  plan.proven = answer.proven;
  if (answer.gap) plan.gap = gap_of(*answer.gap, *tree);
}

}  // namespace toposeg::engine
