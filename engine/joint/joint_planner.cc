#include "engine/joint/joint_planner.h"

#include <algorithm>
#include <utility>

#include "engine/joint/alike.h"
#include "engine/joint/conflicts.h"
#include "engine/joint/search.h"
#include "engine/joint/sequence.h"

namespace toposeg::engine {

namespace {

// The search keeps an array of all vertices for each group, and goes as deep as there are items.
constexpr std::size_t kMostEntries = std::size_t{16} << 20U;
constexpr std::size_t kMostItems = 512;

}  // namespace

JointPlanner::JointPlanner(std::shared_ptr<const Tree> tree, Books& books, Planner& planner, ViewSource views)
    : tree_(std::move(tree)), books_(books), planner_(planner), views_(std::move(views)) {}

void JointPlanner::begin(const JointProblem& problem, const Deadline& deadline) {
  problem_ = &problem;
  units_ = cut_into_units(*tree_, problem);
  read_room();
  stock_.reset();
  bound_ = bound_of(*tree_, problem, units_, views_, planner_, deadline);
  least_ = bound_.total();
  answer_ = {};
  answer_.pods.resize(problem.items.size());
  answer_.cost = cost_of(*tree_, problem, room_, answer_.pods);
  judge();
}

void JointPlanner::read_room() {
  room_.assign(problem_->shapes.size(), {});
  for (const JointGroup& group : problem_->groups) {
    const auto measure = static_cast<std::size_t>(group.measure);
    if (!room_[measure].empty()) continue;
    const auto view = views_(problem_->shapes[measure], std::nullopt);
    for (Vertex v = 0; v < tree_->size(); ++v) room_[measure].push_back(view->capacity(v));
  }
}

void JointPlanner::offer(JointPods pods) {
  JointRow cost = cost_of(*tree_, *problem_, room_, pods);
  if (cost >= answer_.cost) return;
  answer_.pods = std::move(pods);
  answer_.cost = std::move(cost);
  judge();
}

void JointPlanner::judge() {
  const auto [value, bound] =
      std::mismatch(answer_.cost.begin(), answer_.cost.end(), least_.begin(), least_.end());
  answer_.proven = value == answer_.cost.end() || *value < *bound;
  answer_.gap.reset();
  if (answer_.proven) return;
  const JointLayout layout(problem_->items.size(), tree_->levels());
  const auto index = static_cast<std::size_t>(value - answer_.cost.begin());
  answer_.gap = JointGap{term_at(layout, index), *value, *bound};
}

void JointPlanner::improve(const JointLimits& limits) {
  if (!answer_.proven) try_orders(limits);
  if (!answer_.proven && searchable()) search(limits);
}

void JointPlanner::try_orders(const JointLimits& limits) {
  Sequence sequence(*tree_, *problem_, units_, books_, views_, planner_);
  const JointLayout layout(problem_->items.size(), tree_->levels());
  if (const std::optional<Crowd> crowd = find_crowd(*problem_, bound_, layout))
    offer(sequence.run_crowd(*crowd, limits.deadline));
  if (!answer_.proven) pack_alike(limits);
  const bool several = units_.size() > problem_->groups.size() && units_.size() <= limits.solves;
  if (!answer_.proven && several) offer(sequence.run_by_group(limits.deadline));
  bool settled = false;
  const std::size_t most = limits.solves / std::max<std::size_t>(1, units_.size());
  for (const std::vector<int>& order : sequence.orders(std::clamp<std::size_t>(most, 1, limits.orders))) {
    if (answer_.proven || limits.deadline.expired()) return;
    offer(sequence.run(order, limits.deadline));
    if (!answer_.proven && !std::exchange(settled, true)) settle_conflicts(limits);
  }
}

void JointPlanner::pack_alike(const JointLimits& limits) {
  const std::optional<AlikeGroups> alike = find_alike(*tree_, *problem_, bound_);
  if (!alike) return;
  AlikePlan plan(*tree_, *problem_, room_, *alike, stock(), limits.steps);
  plan.run();
  plan.strengthen(bound_);
  least_ = std::max(least_, bound_.total());
  judge();
  if (std::optional<JointPods> pods = plan.answer()) offer(std::move(*pods));
}

void JointPlanner::settle_conflicts(const JointLimits& limits) {
  ConflictSearch conflicts(*tree_, *problem_, units_, room_, stock(), views_, planner_);
  if (!conflicts.applies()) return;
  std::optional<ConflictSearch::Outcome> outcome =
      conflicts.run(answer_.cost, limits.conflicts, limits.deadline);
  if (!outcome) return;
  if (outcome->pods) offer(std::move(*outcome->pods));
  least_ = std::max(least_, std::min(outcome->least, answer_.cost));
  judge();
}

Stock& JointPlanner::stock() {
  if (!stock_) stock_.emplace(*tree_, books_, problem_->shapes);
  return *stock_;
}

bool JointPlanner::searchable() const {
  return problem_->items.size() <= kMostItems && problem_->groups.size() * tree_->size() <= kMostEntries;
}

// In two stages, so that a search which does not come to its end still proves the first entries.
void JointPlanner::search(const JointLimits& limits) {
  const JointLayout layout(problem_->items.size(), tree_->levels());
  JointSearch search(*tree_, *problem_, room_, bound_, stock());
  std::int64_t steps = limits.steps;
  std::int64_t first = steps / 2;
  steps -= first;
  const std::size_t width = layout.domains(0);
  if (search.run(width, first, limits.deadline, answer_.cost, answer_.pods)) {
    const auto end = static_cast<std::ptrdiff_t>(width);
    if (!std::equal(least_.begin(), least_.begin() + end, answer_.cost.begin())) {
      // The entries behind were bounded for cheaper beginnings.
      std::copy(answer_.cost.begin(), answer_.cost.begin() + end, least_.begin());
      std::fill(least_.begin() + end, least_.end(), 0);
    }
  }
  steps += std::max<std::int64_t>(0, first);
  if (search.run(layout.size(), steps, limits.deadline, answer_.cost, answer_.pods)) least_ = answer_.cost;
  judge();
}

}  // namespace toposeg::engine
