#include "engine/joint/conflicts.h"

#include <algorithm>
#include <vector>

#include "unit/catch.h"
#include "unit/engine/joint/ground.h"

namespace toposeg::engine {
namespace {

// Two roles, each a group with a measure of its own.
JointProblem two_roles() {
  JointProblem problem;
  problem.shapes = {shape(2, 0), shape(1, 1)};
  problem.groups.resize(2);
  problem.groups[1].measure = 1;
  problem.items = {segment(0, {{0, 2}}), segment(1, {{1, 4}})};
  return problem;
}

struct Bench {
  Ground ground;
  JointProblem problem = two_roles();
  std::vector<Unit> units = cut_into_units(*ground.tree, problem);
  JointPlanner joint = ground.joint();
  ViewSource source = ground.source();
  Stock stock{*ground.tree, ground.books, problem.shapes};

  explicit Bench(const std::vector<std::vector<kube::ResourceList>>& racks) : ground(racks) {
    joint.begin(problem);
  }
  ConflictSearch search() {
    return {*ground.tree, problem, units, joint.room(), stock, source, ground.planner};
  }
  [[nodiscard]] JointRow cost(const JointPods& pods) const {
    return cost_of(*ground.tree, problem, joint.room(), pods);
  }
};

const JointRow kDearest{1'000'000};

TEST_CASE("of two roles that want the same rack the one for which it costs less makes room") {
  // Both fill rack 0; the second role leaves one place more free in rack 1, the first role two.
  Bench bench({{node(4, 4)}, {node(8, 5)}, {node(8, 0)}});
  ConflictSearch search = bench.search();
  REQUIRE(search.applies());
  const auto outcome = search.run(kDearest, 8, {});
  REQUIRE(outcome.has_value());
  REQUIRE(outcome->pods.has_value());
  CHECK(bench.cost(*outcome->pods) == outcome->least);
  CHECK((*outcome->pods)[0].front() == bench.ground.leaf("r0n0"));
  CHECK((*outcome->pods)[1].front() == bench.ground.leaf("r1n0"));
}

TEST_CASE("a role makes room for as many pods as it must, and for no more") {
  // Three pods of the first role and four of the second want the first node, which takes two beside the four.
  Bench bench({{node(8, 4), node(2, 0)}});
  bench.problem.items[0] = segment(0, {{0, 3}});
  bench.units = cut_into_units(*bench.ground.tree, bench.problem);
  const auto outcome = bench.search().run(kDearest, 8, {});
  REQUIRE(outcome.has_value());
  REQUIRE(outcome->pods.has_value());
  const std::vector<Vertex>& first = (*outcome->pods)[0];
  CHECK(std::count(first.begin(), first.end(), bench.ground.leaf("r0n0")) == 2);
  CHECK(std::count(first.begin(), first.end(), bench.ground.leaf("r0n1")) == 1);
  CHECK((*outcome->pods)[1] == std::vector<Vertex>(4, bench.ground.leaf("r0n0")));
}

TEST_CASE("roles that do not want the same are answered at once") {
  Bench bench({{node(4, 0)}, {node(4, 4)}});
  ConflictSearch search = bench.search();
  const auto outcome = search.run(kDearest, 0, {});
  REQUIRE(outcome.has_value());
  CHECK(outcome->pods.has_value());
}

TEST_CASE("without a split the bound is what the roles would cost alone") {
  Bench bench({{node(4, 4)}, {node(8, 5)}, {node(8, 0)}});
  ConflictSearch search = bench.search();
  const auto cut_short = search.run(kDearest, 0, {});
  const auto whole = search.run(kDearest, 8, {});
  REQUIRE(cut_short.has_value());
  REQUIRE(whole.has_value());
  CHECK_FALSE(cut_short->pods.has_value());
  CHECK(cut_short->least < whole->least);
}

TEST_CASE("groups of one measure share domains, so their costs do not add up") {
  Bench bench({{node(4, 4)}});
  bench.problem.groups[1].measure = 0;
  CHECK_FALSE(bench.search().applies());
}

TEST_CASE("a group that asks for nothing may stand where others then stand for nothing") {
  Bench bench({{node(4, 4)}});
  REQUIRE(bench.search().applies());
  bench.problem.groups.emplace_back().in_use = {bench.ground.leaf("r0n0")};
  CHECK_FALSE(bench.search().applies());
}

}  // namespace
}  // namespace toposeg::engine
