#include <cstdlib>
#include <string>

#include "engine/joint/joint_planner.h"
#include "engine/joint/sequence.h"
#include "engine/placement/views.h"
#include "oracle/joint_exhaustive.h"
#include "oracle/settings.h"
#include "unit/catch.h"

namespace toposeg::engine::oracle {
namespace {

// Where the gap says that the answer and the bound part.
std::int64_t entry(const JointScore& score, const JointTerm& term, int levels) {
  switch (term.kind) {
    case JointTerm::Kind::kNeeded:
      return score.placed[0];
    case JointTerm::Kind::kOptional:
      return score.placed[1];
    case JointTerm::Kind::kApart:
      return score.placed[2];
    case JointTerm::Kind::kPattern: {
      std::int64_t bits = 0;
      for (std::size_t i = 0; i < score.missing.size(); ++i)
        bits -= score.missing[i] != 0 ? 0 : JointLayout::bit(i);
      return bits;
    }
    case JointTerm::Kind::kClimbed:
      return score.climbed;
    case JointTerm::Kind::kWhole:
      return score.whole;
    case JointTerm::Kind::kDomains:
      return score.domains[static_cast<std::size_t>(term.level)];
    case JointTerm::Kind::kAltogether:
      return score.altogether[static_cast<std::size_t>(term.level)];
    case JointTerm::Kind::kLeftover:
      return score.leftover[static_cast<std::size_t>(levels - term.level)];
  }
  return 0;
}

struct Bench {
  JointInstance instance;
  Views views;
  Planner planner;
  ViewSource source;

  explicit Bench(std::uint64_t seed) : Bench(make_joint_instance(seed)) {}
  explicit Bench(JointInstance made) : instance(std::move(made)), views(instance.books) {
    views.upsert(instance.topology);
    source = [this](const kube::PodSpec& shape, const std::optional<kube::PodSpec>& extra) {
      return views.view(instance.tree, shape, extra);
    };
  }
  JointPods one_after_the_other() {
    const std::vector<Unit> units = cut_into_units(*instance.tree, instance.problem);
    Sequence sequence(*instance.tree, instance.problem, units, instance.books, source, planner);
    return sequence.run(sequence.orders(1).front(), {});
  }
};

struct Count {
  std::uint64_t proven = 0;
  std::uint64_t better = 0;  // than one after the other
};

void check(Bench& bench, const JointLimits& limits, Count& count) {
  const JointInstance& instance = bench.instance;
  INFO(instance.text());
  const JointPods plain = bench.one_after_the_other();
  REQUIRE(fault(instance, plain) == "");
  JointPlanner joint(instance.tree, bench.instance.books, bench.planner, bench.source);
  joint.begin(instance.problem);
  joint.offer(plain);
  joint.improve(limits);
  const JointAnswer& answer = joint.answer();
  REQUIRE(fault(instance, answer.pods) == "");
  const JointScore got = score(instance, answer.pods);
  const JointScore best = best_joint_score(instance);
  if (instance.rooms_are_sums()) REQUIRE(got <= score(instance, plain));
  REQUIRE(best <= got);
  if (got < score(instance, plain)) ++count.better;
  if (!answer.proven) {
    REQUIRE(answer.gap.has_value());
    if (answer.gap->term.kind == JointTerm::Kind::kLeftover && !instance.rooms_are_sums()) return;
    CHECK(entry(got, answer.gap->term, instance.tree->levels()) == answer.gap->value);
    CHECK(entry(best, answer.gap->term, instance.tree->levels()) >= answer.gap->bound);
    return;
  }
  ++count.proven;
  REQUIRE(got.placed == best.placed);
  REQUIRE(got.missing == best.missing);
  REQUIRE(got.climbed == best.climbed);
  REQUIRE(got.whole == best.whole);
  REQUIRE(got.domains == best.domains);
  REQUIRE(got.altogether == best.altogether);
  if (instance.rooms_are_sums()) REQUIRE(got.leftover == best.leftover);
}

TEST_CASE("joint_plan_equals_exhaustive_search_on_all_objectives") {
  const Range range = seeds();
  Count count;
  for (std::uint64_t seed = range.first; seed < range.first + range.count; ++seed) {
    Bench bench(seed);
    check(bench, {}, count);
  }
  INFO(count.proven << " proven, " << count.better << " better than one after the other");
  CHECK(count.proven * 100 >= range.count * 99);
  CHECK(count.better > 0);
}

TEST_CASE("joint_plan_of_pods_that_repel_each_other_equals_exhaustive_search") {
  const Range range = seeds();
  Count count;
  for (std::uint64_t seed = range.first; seed < range.first + range.count; ++seed) {
    Bench bench(make_repelling_instance(seed));
    check(bench, {}, count);
  }
  INFO(count.proven << " proven, " << count.better << " better than one after the other");
  CHECK(count.proven * 100 >= range.count * 99);
}

TEST_CASE("joint_plan_cut_short_is_no_worse_than_one_after_the_other_and_its_gap_is_true") {
  const Range range = seeds();
  Count count;
  for (std::uint64_t seed = range.first; seed < range.first + range.count / 10; ++seed) {
    Bench bench(seed);
    check(bench, {.steps = 20, .orders = 1, .solves = 1, .conflicts = 0, .deadline = {}}, count);
  }
  CHECK(count.proven < range.count / 10);
}

}  // namespace
}  // namespace toposeg::engine::oracle
