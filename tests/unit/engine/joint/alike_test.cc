#include "engine/joint/alike.h"

#include "unit/catch.h"
#include "unit/engine/joint/ground.h"

namespace toposeg::engine {
namespace {

// Replicas of a leader and three workers.
JointProblem replicas(int count) {
  JointProblem problem;
  problem.shapes = {shape(1, 0), shape(0, 1)};
  problem.groups.resize(static_cast<std::size_t>(count));
  for (int group = 0; group < count; ++group) {
    problem.items.push_back(segment(group, {{1, 1}, {0, 2}}));
    problem.items.push_back(segment(group, {{0, 1}}));
  }
  return problem;
}

JointBound bound_for(Ground& ground, const JointProblem& problem) {
  return bound_of(*ground.tree, problem, cut_into_units(*ground.tree, problem), ground.source(),
                  ground.planner, {});
}

TEST_CASE("groups that ask the same and stand nowhere are alike") {
  Ground ground({{node(8, 4)}, {node(8, 4)}});
  JointProblem problem = replicas(3);
  const std::optional<AlikeGroups> all = find_alike(*ground.tree, problem, bound_for(ground, problem));
  REQUIRE(all.has_value());
  CHECK(all->groups == std::vector<int>{0, 1, 2});
  CHECK(all->shapes == std::vector<int>{0, 1});
  CHECK(all->wanted == PodCounts{3, 1});
  CHECK(all->level == 0);
  problem.groups[1].in_use = {ground.leaf("r0n0")};
  const std::optional<AlikeGroups> some = find_alike(*ground.tree, problem, bound_for(ground, problem));
  REQUIRE(some.has_value());
  CHECK(some->groups == std::vector<int>{0, 2});
}

TEST_CASE("pods that repel each other on a level are not counted host by host") {
  Ground ground({{node(8, 4)}, {node(8, 4)}});
  JointProblem problem = replicas(2);
  problem.shapes[0].anti_affinity = {"rack"};
  CHECK_FALSE(find_alike(*ground.tree, problem, bound_for(ground, problem)).has_value());
}

TEST_CASE("replicas of several shapes are proven best without a search") {
  // Workers and leaders of a group do not fit on one host; each group alone would have the first rack.
  Ground ground({{node(3, 0), node(0, 1)}, {node(3, 0), node(3, 0), node(0, 2)}, {node(6, 0), node(0, 2)}});
  const JointProblem problem = replicas(2);
  JointPlanner joint = ground.joint();
  joint.begin(problem);
  CHECK_FALSE(joint.answer().proven);
  joint.improve({.steps = 1000, .orders = 1, .solves = 1, .conflicts = 0, .deadline = {}});
  CHECK(joint.answer().proven);
  const JointLayout layout(problem.items.size(), 1);
  CHECK(joint.answer().cost[layout.domains(1)] == 4);
  CHECK(joint.answer().cost[layout.altogether(0)] == 1);
  CHECK(joint.answer().cost[layout.altogether(1)] == 2);
  CHECK(joint.answer().pods[0].front() == ground.leaf("r2n1"));
  CHECK(joint.answer().pods[3].front() == ground.leaf("r2n0"));
}

TEST_CASE("a plan for replicas makes the bound as high as it knows") {
  Ground ground({{node(3, 0), node(0, 1)}, {node(3, 0), node(0, 1)}});
  const JointProblem problem = replicas(2);
  JointBound bound = bound_for(ground, problem);
  const std::optional<AlikeGroups> alike = find_alike(*ground.tree, problem, bound);
  REQUIRE(alike.has_value());
  Stock stock(*ground.tree, ground.books, problem.shapes);
  Room room(problem.shapes.size());
  const auto view = ground.source()(problem.shapes[0], std::nullopt);
  for (Vertex v = 0; v < ground.tree->size(); ++v) room[0].push_back(view->capacity(v));
  AlikePlan plan(*ground.tree, problem, room, *alike, stock, 1000);
  plan.run();
  plan.strengthen(bound);
  const JointLayout layout(problem.items.size(), 1);
  CHECK(bound.total()[layout.domains(1)] == 4);
  CHECK(bound.total()[layout.altogether(0)] == 2);
  CHECK(bound.total()[layout.altogether(1)] == 4);
  const std::optional<JointPods> pods = plan.answer();
  REQUIRE(pods.has_value());
  CHECK(cost_of(*ground.tree, problem, room, *pods) == bound.total());
}

}  // namespace
}  // namespace toposeg::engine
