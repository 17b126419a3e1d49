// Plans of what is partly in place: the missing pods of several segments are placed together.
#include <set>
#include <string>

#include "unit/catch.h"
#include "unit/engine/placement/rig.h"

namespace toposeg::engine::test {
namespace {

constexpr PlanOptions kReserve{.reserve = true, .budget = std::nullopt};

workload::Workload rack_wish(const std::string& name, int pods, int size) {
  workload::Workload w = job(name, pods, size);
  w.identity.uid = "uid-" + name;
  w.segment.required = kZone;
  w.segment.preferred = kRack;
  return w;
}

kube::Pod living(const workload::Workload& w, int index, const std::string& node, const std::string& domain) {
  kube::Pod pod = seen(w, index, node);
  kube::put(pod.annotations, "kai.scheduler/topology", std::string("cluster-topology"));
  kube::put(pod.annotations, "toposeg.io/domain", domain);
  kube::put(pod.annotations, "toposeg.io/segment", std::to_string(index / w.segments.size));
  return pod;
}

const std::string& host(const Plan& plan, int segment, std::size_t pod) {
  return plan.groups[0].segments[static_cast<std::size_t>(segment)].pods[pod].host;
}

// Segment 0 lives spread over the zone, segment 1 in rack r1; each lacks a pod, each rack has one place left.
// Taken in their order, the first would take the place of r1, near which it stands, and push the second out.
TEST_CASE("of two begun segments the one at home in a rack gets the last place in it") {
  Rig rig({kZone, kRack});
  rig.add({"z", "r1"}, 3, "n1");
  rig.add({"z", "r2"}, 1, "n2");
  const workload::Workload w = rack_wish("train", 4, 2);
  rig.engine.upsert_workload(w);
  rig.engine.upsert_pod(living(w, 0, "n1", R"(["z"])"));
  rig.engine.upsert_pod(living(w, 2, "n1", R"(["z","r1"])"));
  const Plan plan = rig.engine.plan(w, kReserve);
  CHECK(plan.fits);
  CHECK(plan.proven);
  CHECK(host(plan, 0, 0) == "n1");
  CHECK(host(plan, 0, 1) == "n2");
  CHECK(host(plan, 1, 0) == "n1");
  CHECK(host(plan, 1, 1) == "n1");
  CHECK(plan.groups[0].segments[0].climbed == 1);
  CHECK(plan.groups[0].segments[1].climbed == 0);
  CHECK(plan.objective.needed_placed == 2);
  CHECK(plan.objective.climbed == 1);
}

TEST_CASE("begun segments that lack more pods than there are places get what there is, and wait") {
  Rig rig({kZone, kRack});
  rig.add({"z", "r1"}, 3, "n1");
  workload::Workload w = rack_wish("train", 6, 3);
  w.segment.required = kRack;
  w.segment.preferred.reset();
  rig.engine.upsert_workload(w);
  rig.engine.upsert_pod(living(w, 0, "n1", R"(["z","r1"])"));
  rig.engine.upsert_pod(living(w, 3, "n1", R"(["z","r1"])"));
  const Plan plan = rig.engine.plan(w, kReserve);
  CHECK_FALSE(plan.fits);
  for (const PlannedSegment& segment : plan.groups[0].segments) {
    CHECK(segment.status == SegmentStatus::kWaiting);
    REQUIRE(segment.reasons.size() == 1);
    CHECK_THAT(segment.reasons[0], Catch::Matchers::Contains("its pods live in z/r1"));
  }
  CHECK(rig.engine.ledger().size() == 3);  // two that live, and one more has its place
}

TEST_CASE("living pods stay where they are when the others are planned again") {
  Rig rig({kZone, kRack});
  for (const char* rack : {"r1", "r2", "r3"}) rig.add({"z", rack}, 4, std::string("n-") + rack);
  const workload::Workload w = rack_wish("train", 8, 4);
  rig.engine.upsert_workload(w);
  rig.engine.upsert_pod(living(w, 5, "n-r2", R"(["z","r2"])"));
  const Plan plan = rig.engine.plan(w, kReserve);
  CHECK(plan.fits);
  CHECK(plan.proven);
  for (std::size_t pod = 0; pod < 4; ++pod) {
    CHECK(host(plan, 0, pod) == "n-r1");
    CHECK(host(plan, 1, pod) == "n-r2");
  }
  const Plan again = rig.engine.plan(w, kReserve);
  CHECK(domains(again) == domains(plan));
}

TEST_CASE("a group with a pod on its way keeps its rack, the others may move") {
  Rig rig({kRack});
  for (const char* rack : {"r1", "r2"}) rig.add({rack}, 4, std::string("n-") + rack);
  workload::Workload w = leader_worker_set("serve", 4, 4, workload::SegmentRule::kPlain);
  w.identity.uid = "uid-serve";
  w.groups = 2;
  w.segment.required = kRack;
  rig.engine.upsert_workload(w);
  REQUIRE(domains(rig.engine.plan(w, kReserve)) == std::vector<std::string>{"r1", "r2"});
  REQUIRE(rig.engine.place(worker(w, 0, 0), w, w.worker, kReserve).host == "n-r1");
  rig.add({"r0"}, 4, "n-r0");
  w.groups = 3;
  const Plan more = rig.engine.plan(w, kReserve);
  CHECK(more.proven);
  CHECK(domains(more) == std::vector<std::string>{"r1", "r0", "r2"});
  w.groups = 4;
  const Plan too_many = rig.engine.plan(w, kReserve);
  CHECK_FALSE(too_many.fits);
  CHECK(too_many.proven);
  CHECK(placed(too_many) == 3);
}

TEST_CASE("a joint plan without any time is still a plan") {
  Rig rig({kRack});
  for (const char* rack : {"r1", "r2", "r3"}) rig.add({rack}, 4, std::string("n-") + rack);
  workload::Workload w = job("train", 4, 4);
  w.groups = 3;
  w.segment.required = kRack;
  const Plan plan = rig.engine.plan(w, {.reserve = false, .budget = std::chrono::nanoseconds(0)});
  CHECK(placed(plan) == 3);
}

// Four racks with two hosts each; pods keep their like out of their rack. Segment 0 lives in two of the
// racks.
TEST_CASE("pods that live already keep their like out of their racks") {
  Rig rig({kZone, kRack});
  for (const char* rack : {"r1", "r2", "r3", "r4"}) {
    rig.add({"z", rack}, 4, std::string(rack) + "-a");
    rig.add({"z", rack}, 4, std::string(rack) + "-b");
  }
  workload::Workload w = job("train", 6, 2);
  w.identity.uid = "uid-train";
  w.segment.required = kZone;
  w.worker.anti_affinity = {kRack};
  rig.engine.upsert_workload(w);
  rig.engine.upsert_pod(living(w, 0, "r1-a", R"(["z"])"));
  rig.engine.upsert_pod(living(w, 1, "r3-b", R"(["z"])"));
  const Plan plan = rig.engine.plan(w, kReserve);
  std::set<std::string> racks;
  for (std::size_t pod = 0; pod < 2; ++pod) racks.insert(host(plan, 1, pod).substr(0, 2));
  CHECK(racks == std::set<std::string>{"r2", "r4"});
  REQUIRE(plan.groups[0].segments[2].status == SegmentStatus::kWaiting);
  CHECK_THAT(plan.groups[0].segments[2].reasons[0],
             Catch::Matchers::Contains("its own pods keep others out of 4 racks"));
}

}  // namespace
}  // namespace toposeg::engine::test
