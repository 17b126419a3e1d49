// The page's own manifests on its own kind of cluster.
#include "unit/catch.h"
#include "unit/engine/placement/rig.h"

namespace toposeg::engine::test {
namespace {

using Rule = workload::SegmentRule;

workload::Workload page_job() {
  workload::Workload w = job("pytorch-tp4", 16, 4);
  w.extra = workload::ExtraRole::kMaster;
  w.masters = 1;
  w.extra_spec = pod();
  w.segment.required = kRack;
  return w;
}

TEST_CASE("sixteen workers of four stand in racks by index and the Master in no segment") {
  Rig rig = page_cluster();
  fill(rig, 2, 2, 2, 4, 8);
  const Plan plan = rig.engine.plan(page_job());
  REQUIRE(plan.groups.size() == 1);
  const PlannedGroup& group = plan.groups[0];
  REQUIRE(group.segments.size() == 4);
  for (int s = 0; s < 4; ++s) {
    CHECK(indices(group.segments[static_cast<std::size_t>(s)]) ==
          std::vector<int>{4 * s, 4 * s + 1, 4 * s + 2, 4 * s + 3});
    CHECK(group.segments[static_cast<std::size_t>(s)].domain.size() == 3);
    CHECK(group.segments[static_cast<std::size_t>(s)].level == 2);
  }
  REQUIRE(group.loose.size() == 1);
  CHECK(group.loose[0].role == workload::Role::kMaster);
  CHECK_FALSE(group.loose[0].host.empty());
  CHECK(plan.fits);
  CHECK(plan.proven);
}

TEST_CASE("a zone required on the root holds all seventeen pods") {
  Rig rig = page_cluster();
  fill(rig, 2, 2, 2, 4, 2);
  workload::Workload w = page_job();
  w.whole.required = kZone;
  const Plan plan = rig.engine.plan(w, {.reserve = true});
  CHECK(plan.fits);
  const std::vector<std::string> zone = plan.groups[0].whole_domain;
  REQUIRE(zone.size() == 1);
  for (const PlannedSegment& segment : plan.groups[0].segments) CHECK(segment.domain[0] == zone[0]);
  const PodDecision decision = rig.engine.place(master(w), w, pod(), {.reserve = true});
  CHECK(decision.required == zone);
  CHECK_FALSE(decision.segment.has_value());
}

TEST_CASE("the page's LeaderWorkerSet puts the leader into the first segment") {
  Rig rig = page_cluster();
  fill(rig, 2, 2, 2, 4, 8);
  workload::Workload w = leader_worker_set("lws", 5, 2, Rule::kLeaderExtra);
  w.segment.required = kRack;
  const std::vector<std::optional<kube::PodSpec>> leaders{std::nullopt, pod(), pod(2), pod(0)};
  for (const auto& leader : leaders) {
    w.extra_spec = leader;
    const Plan plan = rig.engine.plan(w);
    REQUIRE(plan.groups[0].segments.size() == 2);
    CHECK(indices(plan.groups[0].segments[0]) == std::vector<int>{0, 1, 2});
    CHECK(plan.groups[0].segments[0].pods[0].role == workload::Role::kLeader);
    CHECK(indices(plan.groups[0].segments[1]) == std::vector<int>{3, 4});
    CHECK(plan.groups[0].loose.empty());
    CHECK(plan.fits);
  }
}

TEST_CASE("an excluded leader stands alone") {
  Rig rig = page_cluster();
  fill(rig, 2, 2, 2, 4, 8);
  workload::Workload w = leader_worker_set("lws", 5, 2, Rule::kLeaderExcluded);
  w.segment.required = kRack;
  const Plan plan = rig.engine.plan(w);
  REQUIRE(plan.groups[0].segments.size() == 2);
  CHECK(indices(plan.groups[0].segments[0]) == std::vector<int>{1, 2});
  CHECK(indices(plan.groups[0].segments[1]) == std::vector<int>{3, 4});
  REQUIRE(plan.groups[0].loose.size() == 1);
  CHECK(plan.groups[0].loose[0].index == 0);
  CHECK(plan.groups[0].loose[0].role == workload::Role::kLeader);
}

TEST_CASE("a leader of a size that divides evenly is the first pod of the first segment") {
  Rig rig = page_cluster();
  fill(rig, 1, 1, 2, 1, 4);
  workload::Workload w = leader_worker_set("lws", 4, 2, Rule::kPlain);
  w.segment.required = kRack;
  for (const auto& leader : {std::optional<kube::PodSpec>(), std::optional(pod(3))}) {
    w.extra_spec = leader;
    const Plan plan = rig.engine.plan(w);
    REQUIRE(plan.groups[0].segments.size() == 2);
    CHECK(indices(plan.groups[0].segments[0]) == std::vector<int>{0, 1});
    CHECK(plan.fits);
  }
}

TEST_CASE("a leader too large for any rack makes its segment wait and says so") {
  Rig rig = page_cluster();
  fill(rig, 1, 1, 2, 1, 4);
  workload::Workload w = leader_worker_set("lws", 4, 2, Rule::kPlain);
  w.segment.required = kRack;
  w.extra_spec = pod(5);
  const Plan plan = rig.engine.plan(w);
  CHECK_FALSE(plan.fits);
  CHECK(plan.groups[0].segments[0].status == SegmentStatus::kWaiting);
  CHECK_THAT(plan.groups[0].segments[0].reasons.at(0), Catch::Matchers::Contains("beside the leader"));
  CHECK(plan.groups[0].segments[1].status == SegmentStatus::kPlaced);
}

TEST_CASE("a preferred hostname puts each segment on one host") {
  Rig rig = page_cluster();
  fill(rig, 2, 2, 2, 4, 8);
  workload::Workload w = page_job();
  w.segment = {std::nullopt, std::string(kHostname)};
  w.whole.preferred = std::string(kHostname);
  const Plan plan = rig.engine.plan(w);
  for (const PlannedSegment& segment : plan.groups[0].segments) {
    CHECK(segment.level == 3);
    CHECK(segment.climbed == 0);
    for (const PlannedPod& planned : segment.pods) CHECK(planned.host == segment.domain[3]);
  }
}

TEST_CASE("segments without any level are numbered and free") {
  Rig rig = page_cluster();
  fill(rig, 1, 1, 1, 1, 8);
  workload::Workload w = page_job();
  w.segment = {};
  const Plan plan = rig.engine.plan(w, {.reserve = true});
  REQUIRE(plan.groups[0].segments.size() == 4);
  CHECK(plan.groups[0].segments[3].status == SegmentStatus::kFree);
  CHECK(indices(plan.groups[0].segments[3]) == std::vector<int>{12, 13, 14, 15});
  CHECK(plan.fits);
  CHECK(rig.engine.ledger().empty());
  const PodDecision decision = rig.engine.place(worker(w, 5), w, pod(), {.reserve = true});
  CHECK(decision.segment == 1);
  CHECK(decision.segment_rank == 1);
  CHECK(decision.required.empty());
  CHECK(decision.preferred.empty());
}

TEST_CASE("several replica groups share no space") {
  Rig rig = page_cluster();
  fill(rig, 1, 1, 3, 1, 3);
  workload::Workload w = leader_worker_set("lws", 3, 3, Rule::kPlain);
  w.groups = 3;
  w.segment.required = kRack;
  const Plan plan = rig.engine.plan(w, {.reserve = true});
  CHECK(plan.fits);
  const std::vector<std::string> used = domains(plan);
  CHECK(std::set<std::string>(used.begin(), used.end()).size() == 3);
  w.identity.name = "other";
  CHECK_FALSE(rig.engine.plan(w).fits);
}

TEST_CASE("three Masters each get a host") {
  Rig rig = page_cluster();
  fill(rig, 2, 2, 2, 4, 8);
  workload::Workload w = page_job();
  w.masters = 3;
  const Plan plan = rig.engine.plan(w);
  REQUIRE(plan.groups[0].loose.size() == 3);
  for (int i = 0; i < 3; ++i) {
    CHECK(plan.groups[0].loose[static_cast<std::size_t>(i)].index == i);
    CHECK_FALSE(plan.groups[0].loose[static_cast<std::size_t>(i)].host.empty());
  }
}

TEST_CASE("optional segments that do not fit do not make the plan unfit") {
  Rig rig = page_cluster();
  fill(rig, 1, 1, 3, 1, 4);
  workload::Workload w = job("elastic", 16, 4);
  w.segment.required = kRack;
  w.needed_segments = 3;
  const Plan plan = rig.engine.plan(w);
  CHECK(plan.fits);
  CHECK(placed(plan) == 3);
  CHECK_FALSE(plan.groups[0].segments[3].needed);
  w.needed_segments = 4;
  CHECK_FALSE(rig.engine.plan(w).fits);
}

TEST_CASE("an unknown topology or level is refused with what exists") {
  Rig rig = page_cluster();
  fill(rig, 1, 1, 1, 1, 4);
  workload::Workload w = page_job();
  w.topology = "other";
  const Plan unknown = rig.engine.plan(w);
  REQUIRE(unknown.refused.size() == 1);
  CHECK(unknown.refused[0].message == "topology \"other\" does not exist; there are: cluster-topology");
  w.topology = "cluster-topology";
  w.segment.required = "pod";
  const Plan level = rig.engine.plan(w);
  REQUIRE(level.refused.size() == 1);
  CHECK_THAT(level.refused[0].message,
             Catch::Matchers::Contains("has no level \"pod\"; its levels are topology."));
}

TEST_CASE("a topology that no node carries is refused with a missing label") {
  Rig rig({"rack"});
  kube::Node node;
  node.name = "n1";
  rig.engine.upsert_node(node);
  workload::Workload w = job("train", 4, 2);
  w.segment.required = "rack";
  const Plan plan = rig.engine.plan(w);
  REQUIRE(plan.refused.size() == 1);
  CHECK_THAT(plan.refused[0].message, Catch::Matchers::Contains("n1 for one misses rack"));
}

}  // namespace
}  // namespace toposeg::engine::test
