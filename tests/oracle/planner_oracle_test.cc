#include "engine/planner/planner.h"
#include "oracle/exhaustive.h"
#include "oracle/settings.h"
#include "unit/catch.h"

namespace toposeg::engine::oracle {
namespace {

Answer answer_of(const Solution& solution, const Problem& problem) {
  Answer answer;
  for (const SegmentPlace& place : solution.segments) {
    const std::vector<Vertex> pods(solution.hosts.begin() + place.hosts_begin,
                                   solution.hosts.begin() + place.hosts_end);
    if (place.kind == SegmentPlace::Kind::kFirst) answer.first = pods;
    if (place.kind == SegmentPlace::Kind::kPartial) answer.partial = pods;
    if (place.kind == SegmentPlace::Kind::kFull) answer.full.push_back(pods);
  }
  const bool has_extra = problem.extra_apart || (problem.extra_in_first && !answer.first.empty());
  if (has_extra && solution.extra_host != kRoot) answer.extra = solution.extra_host;
  return answer;
}

// Path order is part of the promise where all segments are alike and none climbs; elsewhere the choice among
// equals is deterministic but not specified pod by pod.
bool path_order_is_promised(const Problem& problem, const Score& best) {
  return problem.first == 0 && problem.partial == 0 && !problem.extra_apart && best.climbed == 0;
}

TEST_CASE("plan_equals_exhaustive_search_on_all_objectives") {
  const Range range = seeds();
  Planner planner;
  for (std::uint64_t seed = range.first; seed < range.first + range.count; ++seed) {
    const Instance instance = make_instance(seed);
    const Solution& solution = planner.solve(*instance.view, instance.problem);
    std::optional<Score> got = score(instance, answer_of(solution, instance.problem));
    Score best = best_score(instance);
    INFO(instance.text());
    REQUIRE(got.has_value());
    REQUIRE(solution.proven);
    CHECK(got->placed == best.placed);
    CHECK(got->climbed == best.climbed);
    CHECK(got->climbed == solution.cost.climbed);
    CHECK(got->domains == best.domains);
    CHECK(got->leftover == best.leftover);
    if (path_order_is_promised(instance.problem, best)) CHECK(got->path == best.path);
    if (got->placed != best.placed || got->climbed != best.climbed || got->domains != best.domains ||
        got->leftover != best.leftover) {
      FAIL("the planner's answer is not the best one");
    }
  }
}

}  // namespace
}  // namespace toposeg::engine::oracle
