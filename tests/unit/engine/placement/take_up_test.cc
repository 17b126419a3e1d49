// After a restart: what an earlier plan promised is held again, what it did not say is planned, and what is
// over holds nothing.
#include <set>

#include "unit/catch.h"
#include "unit/engine/placement/rig.h"

namespace toposeg::engine::test {
namespace {

constexpr PlanOptions kRest{.reserve = true, .keep_planned = true, .budget = std::nullopt};

workload::Workload rack_job(const std::string& name, int pods = 8, int size = 4) {
  workload::Workload w = job(name, pods, size);
  w.identity.uid = name + "-uid";
  w.segment.required = kRack;
  return w;
}

// Racks r0, r1, … of `hosts` hosts with four devices each.
struct Racks : Rig {
  explicit Racks(int count, int hosts = 1) : Rig({kZone, kRack}) {
    for (int r = 0; r < count; ++r) {
      for (int h = 0; h < hosts; ++h) {
        const std::string rack = "r" + std::to_string(r);
        add({"z", rack}, 4, rack + "h" + std::to_string(h));
      }
    }
  }
};

RememberedPlan told(const Rig& rig, std::vector<RememberedSegment> segments) {
  return {"cluster-topology", rig.levels, {{0, {}, std::move(segments)}}};
}

std::multiset<std::string> held(Rig& rig, const std::string& job) {
  std::multiset<std::string> hosts;
  for (const LedgerRow& row : rig.engine.ledger()) {
    if (row.workload == "PyTorchJob/" + job && row.state == "planned") hosts.insert(row.host);
  }
  return hosts;
}

std::multiset<std::string> four(const std::string& host) { return {host, host, host, host}; }

TEST_CASE("segments_are_held_where_they_were_promised_and_the_others_are_planned_around_them") {
  Racks rig(4);
  const workload::Workload w = rack_job("train", 12);
  rig.engine.upsert_workload(w);
  rig.engine.take_up(w, told(rig, {{0, {"z", "r3"}}, {2, {"z", "r1"}}}));
  CHECK(held(rig, "train").count("r3h0") == 4);
  const Plan plan = rig.engine.plan(w, kRest);
  CHECK(domains(plan) == std::vector<std::string>{"r3", "r0", "r1"});
  CHECK(plan.fits);
  CHECK(held(rig, "train").size() == 12);
}

TEST_CASE("without_keeping_a_new_plan_gives_back_what_was_taken_up") {
  Racks rig(4);
  const workload::Workload w = rack_job("train", 4);
  rig.engine.take_up(w, told(rig, {{0, {"z", "r3"}}}));
  CHECK(domains(rig.engine.plan(w, {.reserve = true, .budget = std::nullopt})) ==
        std::vector<std::string>{"r0"});
}

TEST_CASE("a_pod_finds_what_was_taken_up_for_it") {
  Racks rig(4);
  const workload::Workload w = rack_job("train", 4);
  rig.engine.upsert_workload(w);
  rig.engine.take_up(w, told(rig, {{0, {"z", "r2"}}}));
  const PodDecision decision = rig.engine.place(worker(w, 1), w, pod(), kRest);
  CHECK(decision.from_reservation);
  CHECK(decision.required == std::vector<std::string>{"z", "r2"});
}

TEST_CASE("a_segment_that_does_not_fit_its_domain_any_more_takes_none_of_it") {
  Racks rig(3);
  workload::Workload thief = rack_job("thief", 1, 1);
  rig.engine.upsert_pod(seen(thief, 0, "r2h0"));
  const workload::Workload w = rack_job("train", 4);
  rig.engine.take_up(w, told(rig, {{0, {"z", "r2"}}}));
  CHECK(held(rig, "train").empty());
  CHECK(domains(rig.engine.plan(w, kRest)) == std::vector<std::string>{"r0"});
}

TEST_CASE("a_promise_that_no_longer_meets_the_required_level_is_void") {
  Racks rig(2, 2);
  const workload::Workload w = rack_job("train", 4);
  rig.engine.take_up(w, told(rig, {{0, {"z"}}, {5, {"z", "r1"}}, {-1, {"z", "r1"}}, {0, {"z", "r9"}}}));
  CHECK(held(rig, "train").empty());
}

TEST_CASE("a_segment_whose_pods_are_there_stays_with_them_whatever_was_promised") {
  Racks rig(4);
  const workload::Workload w = rack_job("train", 4);
  rig.engine.upsert_pod(seen(w, 0, "r1h0"));
  rig.engine.upsert_workload(w);
  rig.engine.take_up(w, told(rig, {{0, {"z", "r3"}}}));
  (void)rig.engine.plan(w, kRest);
  CHECK(held(rig, "train") == std::multiset<std::string>{"r1h0", "r1h0", "r1h0"});
}

TEST_CASE("a_segment_that_had_climbed_stays_in_its_wide_domain") {
  Racks rig(2, 2);
  workload::Workload w = job("train", 4, 4);
  w.identity.uid = "train-uid";
  w.segment.preferred = kRack;
  rig.engine.take_up(w, told(rig, {{0, {"z"}}}));
  const Plan plan = rig.engine.plan(w, kRest);
  CHECK(domains(plan) == std::vector<std::string>{"z"});
  CHECK(plan.groups[0].segments[0].climbed == 1);
}

TEST_CASE("the_domain_of_the_whole_is_taken_up_without_segments_too") {
  Racks rig(3, 2);
  workload::Workload w = job("train", 6, 0);
  w.identity.uid = "train-uid";
  w.whole.required = kRack;
  rig.engine.take_up(w, {"cluster-topology", rig.levels, {{0, {"z", "r2"}, {}}}});
  const Plan plan = rig.engine.plan(w, kRest);
  CHECK(plan.groups[0].whole_domain == std::vector<std::string>{"z", "r2"});
  CHECK(held(rig, "train").size() == 6);
}

TEST_CASE("another_topology_or_other_levels_make_a_promise_void") {
  Racks rig(4);
  const workload::Workload w = rack_job("train", 4);
  rig.engine.take_up(w, {"elsewhere", rig.levels, {{0, {}, {{0, {"z", "r3"}}}}}});
  rig.engine.take_up(w, {"cluster-topology", {kRack}, {{0, {}, {{0, {"z", "r3"}}}}}});
  CHECK(held(rig, "train").empty());
}

TEST_CASE("workers_that_have_succeeded_get_no_space_again") {
  Racks rig(3);
  const workload::Workload w = rack_job("train", 8);
  for (int i = 0; i < 4; ++i) {
    kube::Pod done = seen(w, i, "r0h0");
    done.phase = kube::PodPhase::kSucceeded;
    rig.engine.upsert_pod(done);
  }
  kube::Pod half = seen(w, 4, "r1h0");
  half.phase = kube::PodPhase::kSucceeded;
  rig.engine.upsert_pod(half);
  rig.engine.upsert_pod(seen(w, 5, "r1h0"));
  rig.engine.upsert_workload(w);
  rig.engine.take_up(w, told(rig, {{0, {"z", "r2"}}}));
  CHECK(rig.engine.plan(w, kRest).fits);
  CHECK(held(rig, "train") == std::multiset<std::string>{"r1h0", "r1h0"});
}

TEST_CASE("a_worker_that_had_succeeded_and_is_deleted_is_expected_again") {
  Racks rig(3);
  const workload::Workload w = rack_job("train", 4);
  kube::Pod done = seen(w, 0, "r0h0");
  done.phase = kube::PodPhase::kSucceeded;
  rig.engine.upsert_pod(done);
  rig.engine.upsert_workload(w);
  (void)rig.engine.plan(w, kRest);
  CHECK(held(rig, "train").size() == 3);
  rig.engine.remove_pod(done.namespace_, done.name);
  (void)rig.engine.plan(w, {.reserve = true, .budget = std::nullopt});
  CHECK(held(rig, "train") == four("r0h0"));
}

TEST_CASE("a_job_of_the_same_name_does_not_inherit_who_succeeded") {
  Racks rig(3);
  const workload::Workload old = rack_job("train", 4);
  kube::Pod done = seen(old, 0, "r0h0");
  done.phase = kube::PodPhase::kSucceeded;
  rig.engine.upsert_pod(done);
  workload::Workload again = old;
  again.identity.uid = "another";
  (void)rig.engine.plan(again, {.reserve = true, .budget = std::nullopt});
  CHECK(held(rig, "train") == four("r0h0"));
}

}  // namespace
}  // namespace toposeg::engine::test
