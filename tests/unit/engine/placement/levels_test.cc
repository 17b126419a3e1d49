// The table of small clusters: levels top > bottom, free pods per node.
#include "unit/catch.h"
#include "unit/engine/placement/rig.h"

namespace toposeg::engine::test {
namespace {

using Catch::Matchers::Contains;

workload::Workload one_segment(int pods) { return job("train", pods, pods); }

Rig racks() { return Rig({kRack}); }

// One rack per entry, one node per number.
void add_racks(Rig& rig, const std::vector<std::vector<int>>& free) {
  int number = 0;
  for (std::size_t r = 0; r < free.size(); ++r) {
    for (const int gpus : free[r])
      rig.add({"r" + std::to_string(r + 1)}, gpus, "n" + std::to_string(number++));
  }
}

TEST_CASE("of topologies of one name the first group counts, and the other once it is gone") {
  Rig rig({kRack});
  const kube::Topology known = rig.engine.topologies().at(0);
  kube::Topology other = known;
  other.api_group = "kueue.x-k8s.io";
  other.levels = {{"example.com/hall", ""}};
  const kube::Topology first{known.name, {{"example.com/row", ""}}, "kai.scheduler"};
  rig.engine.remove_topology(known.name, known.api_group);
  rig.engine.upsert_topology(other);
  CHECK(rig.engine.topologies() == std::vector{other});
  rig.engine.upsert_topology(first);
  CHECK(rig.engine.topologies() == std::vector{first});
  rig.engine.remove_topology(first.name, first.api_group);
  CHECK(rig.engine.topologies() == std::vector{other});
  rig.engine.remove_topology(other.name, other.api_group);
  CHECK(rig.engine.topologies().empty());
}

TEST_CASE("row 1: the rack with room for both pods is taken") {
  Rig rig = racks();
  add_racks(rig, {{0, 1}, {1, 1}});
  workload::Workload w = one_segment(2);
  w.segment.required = kRack;
  CHECK(domains(rig.engine.plan(w)) == std::vector<std::string>{"r2"});
}

TEST_CASE("row 2: the closer level holds the segment") {
  Rig rig({"rack", "spine"});
  rig.add({"r1", "s1"}, 1, "n0");
  rig.add({"r1", "s2"}, 2, "n1");
  workload::Workload w = one_segment(2);
  w.segment.required = "spine";
  CHECK(domains(rig.engine.plan(w)) == std::vector<std::string>{"s2"});
}

TEST_CASE("rows 3 and 4: a segment that fits in one rack, and one that fits in none and says so") {
  Rig rig = racks();
  add_racks(rig, {{1, 2}, {2, 2}});
  workload::Workload w = one_segment(4);
  w.segment.required = kRack;
  CHECK(domains(rig.engine.plan(w)) == std::vector<std::string>{"r2"});

  Rig tight = racks();
  add_racks(tight, {{1, 2}, {1, 2}});
  const Plan plan = tight.engine.plan(w);
  CHECK_FALSE(plan.fits);
  const PlannedSegment& segment = plan.groups[0].segments[0];
  CHECK(segment.status == SegmentStatus::kWaiting);
  REQUIRE(segment.reasons.size() == 1);
  CHECK_THAT(segment.reasons[0],
             Contains("segment 0: no rack can hold 4 pods (best: r1 and r2 hold 3 of 4)"));
  CHECK_THAT(segment.reasons[0], Contains("4 nodes: 4 can take a pod, 0 outside the topology"));
}

TEST_CASE("rows 5 and 6: a preferred rack is reached when it can be and climbed above when not") {
  workload::Workload w = one_segment(2);
  w.segment.preferred = kRack;
  Rig rig = racks();
  add_racks(rig, {{1}, {2}});
  CHECK(domains(rig.engine.plan(w)) == std::vector<std::string>{"r2"});

  Rig spread = racks();
  add_racks(spread, {{1}, {1}});
  const Plan plan = spread.engine.plan(w);
  CHECK(plan.fits);
  const PlannedSegment& segment = plan.groups[0].segments[0];
  CHECK(segment.status == SegmentStatus::kFree);
  CHECK(segment.climbed == 1);
  CHECK(segment.pods[0].host == "n0");
  CHECK(segment.pods[1].host == "n1");
  REQUIRE(segment.reasons.size() == 1);
  CHECK_THAT(segment.reasons[0], Contains("no rack can hold 2 pods"));
  CHECK_THAT(segment.reasons[0], Contains("spread over the whole topology"));
}

TEST_CASE("row 7: a preferred spine escalates to the required rack") {
  Rig rig({"rack", "spine"});
  rig.add({"r1", "s1"}, 0, "n0");
  rig.add({"r1", "s2"}, 1, "n1");
  rig.add({"r2", "s3"}, 1, "n2");
  rig.add({"r2", "s4"}, 1, "n3");
  workload::Workload w = one_segment(2);
  w.segment = {"rack", "spine"};
  const Plan plan = rig.engine.plan(w);
  CHECK(domains(plan) == std::vector<std::string>{"r2"});
  CHECK(plan.groups[0].segments[0].climbed == 1);
  CHECK(plan.objective.climbed == 1);
}

TEST_CASE("row 8: the tightest rack is taken") {
  Rig rig = racks();
  add_racks(rig, {{10}, {9}});
  workload::Workload w = one_segment(2);
  w.segment.required = kRack;
  CHECK(domains(rig.engine.plan(w)) == std::vector<std::string>{"r2"});
}

TEST_CASE("row 9: pods without segments use the fewest blocks, the last one tightest") {
  Rig rig({"block"});
  rig.add({"b1"}, 2, "n1");
  rig.add({"b2"}, 1, "n2");
  rig.add({"b3"}, 4, "n3");
  workload::Workload w = job("train", 5, 0);
  w.whole.preferred = "block";
  const Plan plan = rig.engine.plan(w);
  std::map<std::string, int> hosts;
  for (const PlannedPod& pod : plan.groups[0].loose) ++hosts[pod.host];
  CHECK(hosts == std::map<std::string, int>{{"n2", 1}, {"n3", 4}});
  CHECK(plan.fits);
  CHECK_FALSE(plan.groups[0].whole_level.has_value());
}

TEST_CASE("rows 10 and 11: segments are counted per rack, not by the sum") {
  workload::Workload w = job("train", 6, 3);
  w.segment.required = kRack;
  Rig rig = racks();
  add_racks(rig, {{2}, {2}, {2}});
  const Plan none = rig.engine.plan(w);
  CHECK(placed(none) == 0);
  CHECK_THAT(none.groups[0].reasons.at(0), Contains("0 of 2 segments fit at rack"));

  Rig some = racks();
  add_racks(some, {{3}, {1}, {1}, {1}});
  const Plan one = some.engine.plan(w);
  CHECK(placed(one) == 1);
  CHECK(one.objective.needed_placed == 1);
  CHECK_FALSE(one.fits);
  CHECK_THAT(one.groups[0].reasons.at(0), Contains("1 of 2 segments fit at rack"));
}

TEST_CASE("row 12: the block is chosen by what its racks hold") {
  Rig rig({"block", "rack"});
  for (int i = 0; i < 3; ++i) rig.add({"b1", "r" + std::to_string(i)}, 2, "n" + std::to_string(i));
  for (int i = 3; i < 5; ++i) rig.add({"b2", "r" + std::to_string(i)}, 3, "n" + std::to_string(i));
  workload::Workload w = job("train", 6, 3);
  w.segment.required = "rack";
  w.whole.required = "block";
  const Plan plan = rig.engine.plan(w);
  CHECK(plan.fits);
  CHECK(plan.groups[0].whole_domain == std::vector<std::string>{"b2"});
  CHECK(domains(plan) == std::vector<std::string>{"r3", "r4"});
}

TEST_CASE("row 13: two segments take a rack each, a third one waits") {
  workload::Workload w = job("train", 8, 4);
  w.segment.required = kRack;
  Rig rig = racks();
  add_racks(rig, {{5}, {4}});
  CHECK(domains(rig.engine.plan(w)) == std::vector<std::string>{"r1", "r2"});
  w.segments.pods = 12;
  w.needed_segments = 3;
  const Plan plan = rig.engine.plan(w);
  CHECK(placed(plan) == 2);
  CHECK(plan.groups[0].segments[2].status == SegmentStatus::kWaiting);
  CHECK_THAT(plan.groups[0].segments[2].reasons.at(0), Contains("best: r1 holds 1 of 4"));
}

TEST_CASE("row 14: a zone that fits in sum but not per rack is passed over") {
  Rig rig({"zone", "rack"});
  rig.add({"A", "r1"}, 3, "n1");
  rig.add({"A", "r2"}, 3, "n2");
  rig.add({"B", "r3"}, 4, "n3");
  rig.add({"B", "r4"}, 4, "n4");
  workload::Workload w = job("train", 8, 4);
  w.segment.required = "rack";
  w.whole.required = "zone";
  CHECK(rig.engine.plan(w).groups[0].whole_domain == std::vector<std::string>{"B"});
}

TEST_CASE("rows 15 and 16: a partial last segment takes the third rack or waits with its own number") {
  workload::Workload w = job("train", 10, 4);
  w.segment.required = kRack;
  Rig rig = racks();
  add_racks(rig, {{4}, {4}, {3}});
  CHECK(domains(rig.engine.plan(w)) == std::vector<std::string>{"r1", "r2", "r3"});

  Rig tight = racks();
  add_racks(tight, {{4}, {4}, {1}});
  const Plan plan = tight.engine.plan(w);
  CHECK(placed(plan) == 2);
  const PlannedSegment& last = plan.groups[0].segments[2];
  CHECK(last.status == SegmentStatus::kWaiting);
  CHECK_THAT(last.reasons.at(0), Contains("segment 2: no rack can hold 2 pods (best: r3 holds 1 of 2)"));
}

TEST_CASE("row 17: whole racks of one zone, and one segment too many for it") {
  Rig rig({"zone", "block", "rack"});
  int number = 0;
  for (int z = 0; z < 2; ++z) {
    for (int b = 0; b < 2; ++b) {
      for (int r = 0; r < 2; ++r) {
        for (int h = 0; h < 18; ++h) {
          rig.add({"z" + std::to_string(z), "b" + std::to_string(b), "r" + std::to_string(r)}, 8,
                  "n" + std::to_string(1000 + number++));
        }
      }
    }
  }
  workload::Workload w = job("train", 64, 16);
  w.worker = pod(8);
  w.segment.required = "rack";
  w.whole.required = "zone";
  const Plan fits = rig.engine.plan(w);
  CHECK(fits.fits);
  CHECK(placed(fits) == 4);
  CHECK(fits.groups[0].whole_domain.size() == 1);

  w.segments.pods = 80;
  w.needed_segments = 5;
  const Plan over = rig.engine.plan(w);
  CHECK_FALSE(over.fits);
  CHECK(placed(over) == 4);
  CHECK_THAT(over.groups[0].reasons.at(0), Contains("4 of 5 segments fit"));
  CHECK_THAT(over.groups[0].segments[4].reasons.at(0),
             Contains("no zone can hold all 5 segments (best: z0 holds 4)"));
}

TEST_CASE("row 18: nine slots hold a leader and its segment of eight") {
  Rig rig({kRack, std::string(kHostname)});
  rig.add({"r1", "h1"}, 2, "h1");
  rig.add({"r1", "h2"}, 4, "h2");
  rig.add({"r1", "h3"}, 3, "h3");
  workload::Workload w = leader_worker_set("serve", 9, 8, workload::SegmentRule::kLeaderExtra);
  w.segment.required = kRack;
  w.extra_spec = pod(1);
  const Plan plan = rig.engine.plan(w);
  CHECK(plan.fits);
  REQUIRE(plan.groups[0].segments.size() == 1);
  CHECK(plan.groups[0].segments[0].pods.size() == 9);
  CHECK(plan.groups[0].segments[0].pods[0].role == workload::Role::kLeader);
}

}  // namespace
}  // namespace toposeg::engine::test
