// What a pod is to carry for each strength and mode of its levels.
#include "unit/catch.h"
#include "unit/engine/placement/rig.h"

namespace toposeg::engine::test {
namespace {

constexpr PlanOptions kReserve{.reserve = true, .budget = std::nullopt};
const std::string kBlock = "block";

// One zone of 30 blocks x 5 racks x 4 nodes = 600 nodes: the scheduler looks at 276 of them.
Rig large() { return Rig({"zone", kBlock, "rack"}); }
void fill_large(Rig& rig) {
  for (int i = 0; i < 600; ++i) {
    rig.add({"z" + std::to_string(i / 300), "b" + std::to_string(100 + i / 20),
             "r" + std::to_string(1000 + i / 4)},
            8, "n" + std::to_string(10000 + i));
  }
}

workload::Workload preferred_job(workload::PreferredMode mode) {
  workload::Workload w = job("train", 8, 4);
  w.segment.preferred = "rack";
  w.mode = mode;
  return w;
}

TEST_CASE("an anchored preferred rack is required down to the widest domain the scheduler looks at whole") {
  Rig rig = large();
  fill_large(rig);
  const workload::Workload w = preferred_job(workload::PreferredMode::kAnchored);
  const PodDecision decision = rig.engine.place(worker(w, 0), w, pod(), kReserve);
  CHECK(decision.preferred.size() == 3);
  REQUIRE(decision.required.size() == 2);
  CHECK(decision.required[0] == decision.preferred[0]);
  CHECK(decision.required[1] == decision.preferred[1]);
  CHECK(decision.level == 2);
}

TEST_CASE("a soft preferred rack requires nothing and a pinned one requires the rack") {
  Rig rig = large();
  fill_large(rig);
  const workload::Workload soft = preferred_job(workload::PreferredMode::kSoft);
  CHECK(rig.engine.place(worker(soft, 0), soft, pod()).required.empty());
  const workload::Workload pinned = preferred_job(workload::PreferredMode::kPinned);
  const PodDecision decision = rig.engine.place(worker(pinned, 0), pinned, pod());
  CHECK(decision.required == decision.preferred);
  CHECK(decision.required.size() == 3);
}

TEST_CASE("nothing is anchored on a small cluster") {
  Rig rig = page_cluster();
  fill(rig, 2, 2, 2, 4, 8);
  workload::Workload w = job("train", 8, 4);
  w.segment.preferred = kRack;
  const PodDecision decision = rig.engine.place(worker(w, 0), w, pod(), kReserve);
  CHECK(decision.required.empty());
  CHECK(decision.preferred.size() == 3);
}

TEST_CASE("a required zone and a preferred rack are written as such") {
  Rig rig = page_cluster();
  fill(rig, 2, 2, 2, 4, 8);
  workload::Workload w = job("train", 8, 4);
  w.segment = {kZone, kRack};
  const PodDecision decision = rig.engine.place(worker(w, 0), w, pod(), kReserve);
  CHECK(decision.required.size() == 1);
  CHECK(decision.preferred.size() == 3);
}

TEST_CASE("a Master under a segment level only carries nothing") {
  Rig rig = page_cluster();
  fill(rig, 1, 1, 1, 1, 8);
  workload::Workload w = job("train", 4, 4);
  w.segment.required = kRack;
  w.extra = workload::ExtraRole::kMaster;
  w.masters = 1;
  static_cast<void>(rig.engine.plan(w, kReserve));
  const PodDecision decision = rig.engine.place(master(w), w, pod(), kReserve);
  CHECK(decision.required.empty());
  CHECK(decision.preferred.empty());
  CHECK_FALSE(decision.segment.has_value());
}

TEST_CASE("a workload held to a zone is planned whole when its first pod comes without a plan") {
  Rig rig({"zone", kRack});
  rig.add({"a", "r1"}, 4, "n1");
  rig.add({"b", "r2"}, 4, "n2");
  rig.add({"b", "r3"}, 4, "n3");
  workload::Workload w = job("train", 8, 4);
  w.segment.required = kRack;
  w.whole.required = "zone";
  const PodDecision first = rig.engine.place(worker(w, 0), w, pod(), kReserve);
  REQUIRE(first.required.size() == 2);
  CHECK(first.required[0] == "b");
  CHECK(rig.engine.place(worker(w, 4), w, pod(), kReserve).from_reservation);
}

TEST_CASE("a workload that no zone holds waits with the reason") {
  Rig rig({"zone", kRack});
  rig.add({"a", "r1"}, 3, "n1");
  workload::Workload w = job("train", 4, 4);
  w.segment.required = kRack;
  w.whole.required = "zone";
  const PodDecision decision = rig.engine.place(worker(w, 0), w, pod(), kReserve);
  CHECK(decision.status == SegmentStatus::kWaiting);
  CHECK_THAT(decision.reason, Catch::Matchers::Contains("no rack can hold 4 pods"));
}

TEST_CASE("unsegmented pods of a required zone share it, one too many waits") {
  Rig rig({"zone"});
  rig.add({"a"}, 2, "n1");
  rig.add({"b"}, 3, "n2");
  workload::Workload w = job("train", 3, 0);
  w.whole.required = "zone";
  const Plan plan = rig.engine.plan(w, kReserve);
  CHECK(plan.fits);
  CHECK(plan.groups[0].whole_domain == std::vector<std::string>{"b"});
  const PodDecision decision = rig.engine.place(worker(w, 2), w, pod(), kReserve);
  CHECK(decision.required == std::vector<std::string>{"b"});
  CHECK_FALSE(decision.segment.has_value());
  CHECK(rig.engine.waiting().empty());
  const PodDecision extra = rig.engine.place(worker(w, 3), w, pod(), kReserve);
  CHECK(extra.status == SegmentStatus::kWaiting);
  CHECK_THAT(extra.reason, Catch::Matchers::Contains("b has no room"));
  REQUIRE(rig.engine.waiting().size() == 1);
  CHECK(rig.engine.waiting()[0].segment == -1);
}

}  // namespace
}  // namespace toposeg::engine::test
