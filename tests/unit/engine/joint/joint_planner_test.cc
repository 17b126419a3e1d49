// Contracts of the joint planner; that its answers are the best ones is the oracle's business.
#include "engine/joint/joint_planner.h"

#include <map>

#include "unit/catch.h"
#include "unit/engine/joint/ground.h"

namespace toposeg::engine {
namespace {

using Kind = JointTerm::Kind;

// Two groups of a leader (all of a node's 4 CPUs and GPUs) and four workers, in one rack of two nodes with
// CPUs and one without.
JointProblem two_leaders() {
  JointProblem problem;
  problem.shapes = {shape(1, 0), shape(4, 4)};
  problem.groups.resize(2);
  problem.items = {segment(0, {{1, 1}, {0, 4}}), segment(1, {{1, 1}, {0, 4}})};
  return problem;
}
Ground rack_for_leaders() { return Ground({{node(4, 4), node(4, 4), node(8, 0)}}); }

TEST_CASE("groups that fit only together are placed together") {
  Ground ground = rack_for_leaders();
  const JointProblem problem = two_leaders();
  JointPlanner joint = ground.joint();
  joint.begin(problem);
  joint.improve({});
  const JointAnswer& answer = joint.answer();
  CHECK(answer.proven);
  CHECK_FALSE(answer.gap.has_value());
  const Vertex n2 = ground.leaf("r0n2");
  CHECK(answer.pods[0] == std::vector<Vertex>{ground.leaf("r0n0"), n2, n2, n2, n2});
  CHECK(answer.pods[1] == std::vector<Vertex>{ground.leaf("r0n1"), n2, n2, n2, n2});
  const JointLayout layout(2, 1);
  CHECK(answer.cost[layout.needed()] == -2);
  CHECK(answer.cost[layout.domains(0)] == 2);  // each group its own
  CHECK(answer.cost[layout.domains(1)] == 4);
  CHECK(answer.cost[layout.leftover(0)] == 16);  // workers that the rack takes, once
  CHECK(answer.cost[layout.leftover(1)] == 16);
}

TEST_CASE("an answer without a search tells how far it is from the bound") {
  // By volume the large node and one of the others were enough for both groups.
  Ground ground({{node(4, 4), node(4, 4), node(12, 0)}});
  const JointProblem problem = two_leaders();
  JointPlanner joint = ground.joint();
  joint.begin(problem);
  joint.improve({.steps = 0, .orders = 1, .solves = 1, .conflicts = 0, .deadline = {}});
  REQUIRE(joint.answer().gap.has_value());
  CHECK_FALSE(joint.answer().proven);
  // Two nodes are what one group needs for itself; that two groups need three takes a search.
  CHECK(joint.answer().gap->term.kind == Kind::kAltogether);
  CHECK(joint.answer().gap->term.level == 1);
  CHECK(joint.answer().gap->value == 3);
  CHECK(joint.answer().gap->bound == 2);
}

TEST_CASE("the same question and steps bring the same answer") {
  std::map<std::int64_t, JointPods> first;
  for (int round = 0; round < 2; ++round) {
    for (const std::int64_t steps : {0, 3, 10, 100, 10'000}) {
      Ground ground({{node(4, 4), node(3, 4), node(8, 1)}, {node(5, 5), node(6, 0)}});
      JointProblem problem = two_leaders();
      problem.items.push_back(segment(1, {{0, 3}}));
      JointPlanner joint = ground.joint();
      joint.begin(problem);
      joint.improve({.steps = steps, .orders = 2, .solves = 8, .conflicts = 0, .deadline = {}});
      const auto [known, fresh] = first.emplace(steps, joint.answer().pods);
      CHECK((fresh || known->second == joint.answer().pods));
    }
  }
}

TEST_CASE("an offered answer is kept until a cheaper one is found") {
  Ground ground({{node(4, 0)}, {node(3, 0)}});
  JointProblem problem;
  problem.shapes = {shape(1, 0)};
  problem.groups.resize(1);
  problem.items = {segment(0, {{0, 3}})};
  JointPlanner joint = ground.joint();
  joint.begin(problem);
  CHECK(joint.answer().pods[0].empty());
  joint.offer({std::vector<Vertex>(3, ground.leaf("r0n0"))});
  CHECK_FALSE(joint.answer().proven);
  CHECK(joint.answer().gap->term.kind == Kind::kLeftover);
  joint.offer({std::vector<Vertex>(3, ground.leaf("r1n0"))});
  CHECK(joint.answer().proven);
  joint.offer({std::vector<Vertex>(3, ground.leaf("r0n0"))});
  CHECK(joint.answer().pods[0].front() == ground.leaf("r1n0"));
}

TEST_CASE("the books are as before when an answer was found") {
  Ground ground = rack_for_leaders();
  const JointProblem problem = two_leaders();
  JointPlanner joint = ground.joint();
  joint.begin(problem);
  joint.improve({});
  for (const char* name : {"r0n0", "r0n1", "r0n2"}) {
    const NodeId id = *ground.books.id(name);
    CHECK(ground.books.charges_on(id) == 0);
    CHECK(ground.books.free(id, "gpu") == (id == *ground.books.id("r0n2") ? 8 : 4));
  }
}

TEST_CASE("shapes that want the same host port stand on different nodes") {
  Ground ground({{node(8, 8), node(8, 8)}});
  JointProblem problem;
  problem.shapes = {shape(1, 0), shape(1, 1)};
  for (kube::PodSpec& spec : problem.shapes) spec.host_ports = {kube::HostPort{.port = 80}};
  problem.groups.resize(2);
  problem.items = {segment(0, {{0, 1}}), segment(1, {{1, 1}})};
  JointPlanner joint = ground.joint();
  joint.begin(problem);
  joint.improve({});
  CHECK(joint.answer().proven);
  REQUIRE(joint.answer().pods[1].size() == 1);
  CHECK(joint.answer().pods[0] != joint.answer().pods[1]);
  problem.items.push_back(segment(0, {{0, 1}}));
  joint.begin(problem);
  joint.improve({});
  CHECK(joint.answer().proven);
  CHECK(joint.answer().pods[2].empty());
}

TEST_CASE("what completes a segment goes home, or as near as it may") {
  Ground ground({{node(2, 0), node(1, 0)}, {node(4, 0)}});
  JointProblem problem;
  problem.shapes = {shape(1, 0)};
  problem.groups.resize(1);
  problem.groups[0].in_use = {ground.leaf("r0n0")};
  JointItem missing = segment(0, {{0, 3}});
  missing.home = ground.tree->parent(ground.leaf("r0n0"));
  problem.items = {missing};
  JointPlanner joint = ground.joint();
  joint.begin(problem);
  joint.improve({});
  CHECK(joint.answer().proven);
  CHECK(joint.answer().pods[0] ==
        std::vector<Vertex>{ground.leaf("r0n0"), ground.leaf("r0n0"), ground.leaf("r0n1")});
  problem.items[0].parts[0].pods = 4;
  joint.begin(problem);
  joint.improve({});
  CHECK(joint.answer().pods[0].empty());
  CHECK(joint.answer().proven);
  problem.items[0].required = kAnywhere;
  joint.begin(problem);
  joint.improve({});
  CHECK(joint.answer().proven);
  CHECK(joint.answer().pods[0].size() == 4);
  CHECK(joint.answer().cost[JointLayout(1, 1).climbed()] == 1);
}

}  // namespace
}  // namespace toposeg::engine
