// From a plan to its pods: what is reserved, for how long, and who may use it.
#include <map>

#include "unit/catch.h"
#include "unit/engine/placement/rig.h"

namespace toposeg::engine::test {
namespace {

using Catch::Matchers::Contains;
using std::chrono::seconds;

constexpr PlanOptions kReserve{.reserve = true, .budget = std::nullopt};

workload::Workload rack_job(const std::string& name, int pods = 8, int size = 4) {
  workload::Workload w = job(name, pods, size);
  w.segment.required = kRack;
  return w;
}

void add_racks(Rig& rig, int racks, int hosts, std::int64_t gpus) {
  for (int r = 0; r < racks; ++r) {
    for (int h = 0; h < hosts; ++h) {
      rig.add({"r" + std::to_string(r)}, gpus, "r" + std::to_string(r) + "h" + std::to_string(h));
    }
  }
}

workload::Workload with_uid(workload::Workload w, const std::string& uid) {
  w.identity.uid = uid;
  return w;
}

std::string rack_of(const PodDecision& decision) {
  return decision.required.empty() ? "" : decision.required.back();
}

TEST_CASE("pods get what was planned for them") {
  Rig rig({kRack});
  add_racks(rig, 4, 2, 2);
  const workload::Workload w = rack_job("train");
  const Plan plan = rig.engine.plan(w, kReserve);
  const workload::Workload live = with_uid(w, "uid-1");
  for (const PlannedSegment& segment : plan.groups[0].segments) {
    for (const PlannedPod& planned : segment.pods) {
      const PodDecision decision = rig.engine.place(worker(live, planned.index), live, pod(), kReserve);
      CHECK(decision.from_reservation);
      CHECK(decision.status == SegmentStatus::kPlaced);
      CHECK(decision.host == planned.host);
      CHECK(decision.host_label_value == planned.host);
      CHECK(decision.required == segment.domain);
      CHECK(decision.preferred == segment.domain);
      CHECK(decision.segment == segment.segment);
      CHECK(decision.segment_size == 4);
      CHECK(decision.segments == 2);
      CHECK(decision.topology == "cluster-topology");
    }
  }
}

TEST_CASE("a workload whose pods belong to another one holds nothing") {
  Rig rig({kRack});
  add_racks(rig, 2, 2, 2);
  workload::Workload native = rack_job("native");
  native.owns_pods = false;
  CHECK(rig.engine.plan(native, kReserve).fits);
  CHECK(rig.engine.ledger().empty());
  CHECK(rig.engine.plan(rack_job("made-from-it"), kReserve).fits);
  CHECK(rig.engine.ledger().size() == 8);
}

TEST_CASE("running segments are counted by the closest domain that holds them") {
  const std::string host(kHostname);
  Rig rig({kRack, host});
  rig.add({"r0", "n0"}, 8, "n0");
  rig.add({"r0", "n1"}, 8, "n1");
  rig.add({"r1", "n2"}, 8, "n2");
  const auto runs = [&](const std::string& job, int index, const std::string& node) {
    kube::Pod pod = seen(with_uid(rack_job(job, 2, 2), job + "-uid"), index, node);
    kube::put<std::string>(pod.annotations, "toposeg.io/segment", "0");
    kube::put<std::string>(pod.annotations, "toposeg.io/domain", "[]");
    kube::put<std::string>(pod.annotations, "kai.scheduler/topology", "cluster-topology");
    rig.engine.upsert_pod(pod);
  };
  runs("host", 0, "n0");
  runs("host", 1, "n0");
  runs("rack", 0, "n0");
  runs("rack", 1, "n1");
  runs("apart", 0, "n0");
  runs("apart", 1, "n2");
  std::map<std::string, int> segments;
  for (const ReachedRow& row : rig.engine.reached()) segments[row.level] = row.segments;
  CHECK(segments == std::map<std::string, int>{{"", 1}, {kRack, 1}, {host, 1}});
}

TEST_CASE("two workloads never get the same rack") {
  Rig rig({kRack});
  add_racks(rig, 2, 1, 4);
  CHECK(rig.engine.plan(rack_job("one", 4), kReserve).fits);
  CHECK(rig.engine.plan(rack_job("two", 4), kReserve).fits);
  const Plan third = rig.engine.plan(rack_job("three", 4), kReserve);
  CHECK_FALSE(third.fits);
  CHECK_THAT(third.groups[0].segments[0].reasons.at(0), Contains("2 nvidia.com/gpu full"));
  REQUIRE(rig.engine.waiting().size() == 1);
  CHECK(rig.engine.waiting()[0].workload == "PyTorchJob/three");
}

TEST_CASE("a dry run reserves nothing and answers the same") {
  Rig rig({kRack});
  add_racks(rig, 2, 1, 4);
  const Plan dry = rig.engine.plan(rack_job("one"));
  CHECK(rig.engine.ledger().empty());
  CHECK(rig.engine.waiting().empty());
  const Plan real = rig.engine.plan(rack_job("one"), kReserve);
  CHECK(domains(dry) == domains(real));
  CHECK(rig.engine.ledger().size() == 8);

  const Plan again = rig.engine.plan(rack_job("one"));
  CHECK(domains(again) == domains(real));
  CHECK(rig.engine.ledger().size() == 8);

  const workload::Workload other = rack_job("two", 4);
  CHECK(rig.engine.place(worker(other, 0), other, pod()).status == SegmentStatus::kWaiting);
  CHECK(rig.engine.waiting().empty());
}

TEST_CASE("a dry run of a pod leaves its reservation unadmitted") {
  Rig rig({kRack});
  add_racks(rig, 2, 1, 4);
  const workload::Workload w = rack_job("one", 4);
  static_cast<void>(rig.engine.plan(w, kReserve));
  const PodDecision dry = rig.engine.place(worker(w, 0), w, pod());
  CHECK(dry.from_reservation);
  CHECK(rig.engine.ledger()[0].state == "planned");
  const PodDecision real = rig.engine.place(worker(w, 0), w, pod(), kReserve);
  CHECK(real.host == dry.host);
  CHECK(rig.engine.ledger()[0].state == "admitted");
}

TEST_CASE("planning a workload again replaces its plan") {
  Rig rig({kRack});
  add_racks(rig, 2, 1, 4);
  CHECK(rig.engine.plan(rack_job("one"), kReserve).fits);
  CHECK(rig.engine.plan(rack_job("one"), kReserve).fits);
  CHECK(rig.engine.ledger().size() == 8);
}

TEST_CASE("a suspended workload is planned but holds nothing") {
  Rig rig({kRack});
  add_racks(rig, 2, 1, 4);
  workload::Workload w = rack_job("one");
  CHECK(rig.engine.plan(w, kReserve).fits);
  w.suspended = true;
  CHECK(rig.engine.plan(w, kReserve).fits);
  CHECK(rig.engine.ledger().empty());
}

TEST_CASE("a plan whose pods never come is forgotten after its time") {
  Rig rig({kRack});
  add_racks(rig, 1, 1, 4);
  static_cast<void>(rig.engine.plan(rack_job("one", 4), kReserve));
  rig.clock.advance(seconds(299));
  CHECK(rig.engine.ledger().at(0).seconds_left == 1);
  CHECK_FALSE(rig.engine.plan(rack_job("two", 4)).fits);
  rig.clock.advance(seconds(1));
  CHECK(rig.engine.plan(rack_job("two", 4)).fits);
}

TEST_CASE("the missing workers of a living leader keep their space for an hour") {
  Rig rig({kRack});
  add_racks(rig, 1, 1, 4);
  const workload::Workload w = with_uid(rack_job("one", 4), "uid-1");
  static_cast<void>(rig.engine.plan(w, kReserve));
  rig.engine.upsert_pod(seen(w, 0, "r0h0"));
  rig.clock.advance(seconds(3599));
  CHECK(rig.engine.ledger().size() == 4);
  CHECK(rig.engine.place(worker(w, 3), w, pod(), kReserve).from_reservation);
  rig.clock.advance(seconds(1));
  CHECK(rig.engine.ledger().size() == 2);  // the bound one and the one just admitted
}

TEST_CASE("a new workload under an old name starts anew") {
  Rig rig({kRack});
  add_racks(rig, 1, 1, 4);
  const workload::Workload old = with_uid(rack_job("one", 4), "old");
  static_cast<void>(rig.engine.plan(old, kReserve));
  workload::Workload young = with_uid(rack_job("one", 4), "young");
  const PodDecision decision = rig.engine.place(worker(young, 0), young, pod(), kReserve);
  CHECK(decision.status == SegmentStatus::kPlaced);
  CHECK_FALSE(decision.from_reservation);
  CHECK_FALSE(rig.engine.known(young.identity).has_value());
}

TEST_CASE("a removed workload gives its space back") {
  Rig rig({kRack});
  add_racks(rig, 1, 1, 4);
  workload::Workload w = with_uid(rack_job("one", 4), "uid-1");
  static_cast<void>(rig.engine.plan(w, kReserve));
  CHECK(rig.engine.known(w.identity).has_value());
  workload::Identity other = w.identity;
  other.uid = "other";
  rig.engine.remove_workload(other);
  CHECK(rig.engine.ledger().size() == 4);
  rig.engine.remove_workload(w.identity);
  CHECK(rig.engine.ledger().empty());
  CHECK_FALSE(rig.engine.known(w.identity).has_value());
}

TEST_CASE("pods without a plan are placed a whole segment at a time") {
  Rig rig({kRack});
  add_racks(rig, 2, 1, 4);
  const workload::Workload w = rack_job("one");
  const PodDecision first = rig.engine.place(worker(w, 0), w, pod(), kReserve);
  CHECK_FALSE(first.from_reservation);
  const PodDecision second = rig.engine.place(worker(w, 1), w, pod(), kReserve);
  CHECK(second.from_reservation);
  CHECK(rack_of(first) == rack_of(second));
  const PodDecision other = rig.engine.place(worker(w, 4), w, pod(), kReserve);
  CHECK(rack_of(other) != rack_of(first));
}

TEST_CASE("a pod known by itself alone leaves room for its siblings") {
  Rig rig({kRack});
  rig.add({"r0"}, 2, "n0");
  rig.add({"r1"}, 4, "n1");
  workload::Workload w = rack_job("one", 1, 4);  // index 0: one pod is all it knows of
  CHECK(rack_of(rig.engine.place(worker(w, 0), w, pod(), kReserve)) == "r1");
  w.segments.pods = 3;
  CHECK(rack_of(rig.engine.place(worker(w, 2), w, pod(), kReserve)) == "r1");
}

TEST_CASE("a pod beyond the asked ones opens a further segment") {
  Rig rig({kRack});
  add_racks(rig, 3, 1, 4);
  const workload::Workload w = rack_job("elastic");
  static_cast<void>(rig.engine.plan(w, kReserve));
  const PodDecision decision = rig.engine.place(worker(w, 9), w, pod(), kReserve);
  CHECK(decision.segment == 2);
  CHECK(decision.segments == 3);
  CHECK(decision.status == SegmentStatus::kPlaced);
}

TEST_CASE("a re-created pod goes back to the rack of its segment though another is emptier") {
  Rig rig({kRack});
  add_racks(rig, 1, 2, 2);
  const workload::Workload w = with_uid(rack_job("one", 4), "uid-1");
  const Plan plan = rig.engine.plan(w, kReserve);
  for (const PlannedPod& planned : plan.groups[0].segments[0].pods) {
    rig.engine.upsert_pod(seen(w, planned.index, planned.host));
  }
  rig.add({"r9"}, 8, "n9");
  SECTION("after the old one is gone") {
    rig.engine.remove_pod("team", "one-worker-2");
    const PodDecision decision = rig.engine.place(worker(w, 2), w, pod(), kReserve);
    CHECK(rack_of(decision) == "r0");
  }
  SECTION("it waits while the old one still terminates") {
    kube::Pod old = seen(w, 2, plan.groups[0].segments[0].pods[2].host);
    old.terminating = true;
    rig.engine.upsert_pod(old);
    const PodDecision decision = rig.engine.place(worker(w, 2), w, pod(), kReserve);
    CHECK(decision.status == SegmentStatus::kWaiting);
    CHECK_THAT(decision.reason,
               Contains("segment 0: its pods live in r0, which cannot take another; 2 nodes there"));
    CHECK(rig.engine.waiting().size() == 1);
    rig.engine.remove_pod("team", "one-worker-2");
    CHECK(rack_of(rig.engine.place(worker(w, 2), w, pod(), kReserve)) == "r0");
    CHECK(rig.engine.waiting().empty());
  }
  SECTION("with none alive the segment is planned anew") {
    for (int i = 0; i < 4; ++i) rig.engine.remove_pod("team", "one-worker-" + std::to_string(i));
    rig.add({"r0"}, 0, "r0h0");
    CHECK(rack_of(rig.engine.place(worker(w, 2), w, pod(), kReserve)) == "r9");
  }
}

TEST_CASE("a preferred segment may leave its domain when that is full") {
  Rig rig({kRack});
  rig.add({"r0"}, 1, "n0");
  rig.add({"r1"}, 1, "n1");
  workload::Workload w = with_uid(rack_job("one", 2, 2), "uid-1");
  w.segment = {std::nullopt, kRack};
  kube::Pod living = seen(w, 0, "n0");
  living.annotations = {{"toposeg.io/domain", "[\"r0\"]"}};
  rig.engine.upsert_pod(living);
  const PodDecision decision = rig.engine.place(worker(w, 1), w, pod(), kReserve);
  CHECK(decision.host == "n1");
  CHECK(decision.required.empty());
}

TEST_CASE("no room for a preferred segment leaves its pods to the scheduler with a reason") {
  Rig rig({kRack});
  rig.add({"r0"}, 1, "n0");
  workload::Workload w = rack_job("one", 2, 2);
  w.segment = {std::nullopt, kRack};
  const Plan plan = rig.engine.plan(w, kReserve);
  CHECK(plan.fits);
  CHECK(plan.groups[0].segments[0].status == SegmentStatus::kFree);
  CHECK_FALSE(plan.groups[0].segments[0].reasons.empty());
  const PodDecision decision = rig.engine.place(worker(w, 0), w, pod(), kReserve);
  CHECK(decision.status == SegmentStatus::kFree);
  CHECK(decision.required.empty());
  CHECK_THAT(decision.reason, Contains("segment 0"));
}

TEST_CASE("a reservation on a node that was cordoned is moved") {
  Rig rig({kRack});
  add_racks(rig, 2, 1, 4);
  const workload::Workload w = rack_job("one", 4);
  const Plan plan = rig.engine.plan(w, kReserve);
  kube::Node node = rig.node({"r0"}, 4, "r0h0");
  CHECK(plan.groups[0].segments[0].pods[0].host == "r0h0");
  node.unschedulable = true;
  rig.engine.upsert_node(node);
  CHECK(rack_of(rig.engine.place(worker(w, 0), w, pod(), kReserve)) == "r1");
  CHECK(rack_of(rig.engine.place(worker(w, 1), w, pod(), kReserve)) == "r1");
}

TEST_CASE("a pod that asks for more than its template is placed by what it asks") {
  Rig rig({kRack});
  rig.add({"r0"}, 4, "n0");
  rig.add({"r1"}, 9, "n1");
  workload::Workload w = rack_job("one", 4);
  static_cast<void>(rig.engine.plan(w, kReserve));
  const PodDecision larger = rig.engine.place(worker(w, 0), w, pod(2), kReserve);
  CHECK(larger.status == SegmentStatus::kPlaced);
  CHECK(rack_of(larger) == "r1");
}

TEST_CASE("after a restart the cluster itself tells what is reserved") {
  Rig before({kRack});
  add_racks(before, 2, 1, 4);
  const workload::Workload w = with_uid(rack_job("one", 4), "uid-1");
  static_cast<void>(before.engine.plan(w, kReserve));
  kube::Cluster cluster;
  for (int r = 0; r < 2; ++r)
    cluster.nodes.push_back(before.node({"r" + std::to_string(r)}, 4, "h" + std::to_string(r)));
  kube::Topology topology;
  topology.name = "cluster-topology";
  topology.levels = {{kRack, ""}};
  cluster.topologies = {topology};
  for (int i = 0; i < 2; ++i) {
    kube::Pod pod = seen(w, i, i == 0 ? "h1" : "");
    pod.annotations = {{"kai.scheduler/topology", "cluster-topology"},
                       {"toposeg.io/domain", "[\"r1\"]"},
                       {"toposeg.io/nominal-host", "h1"},
                       {"toposeg.io/segment", "0"}};
    cluster.pods.push_back(pod);
  }
  Rig after({kRack});
  after.engine.replace(cluster);
  REQUIRE(after.engine.ledger().size() == 2);
  CHECK(after.engine.ledger()[0].state == "bound");
  CHECK(after.engine.ledger()[1].state == "admitted");
  CHECK(after.engine.ledger()[1].host == "h1");
  const PodDecision third = after.engine.place(worker(w, 2), w, pod(), kReserve);
  CHECK(rack_of(third) == "r1");
  CHECK_FALSE(after.engine.plan(rack_job("two", 2, 2)).groups[0].segments[0].domain == third.required);
}

TEST_CASE("replacing the cluster keeps what is reserved") {
  Rig rig({kRack});
  add_racks(rig, 1, 1, 4);
  static_cast<void>(rig.engine.plan(rack_job("one", 4), kReserve));
  kube::Cluster cluster;
  cluster.nodes = {rig.node({"r0"}, 4, "r0h0"), rig.node({"r1"}, 4, "r1h0")};
  kube::Topology topology;
  topology.name = "cluster-topology";
  topology.levels = {{kRack, ""}};
  cluster.topologies = {topology};
  rig.engine.replace(cluster);
  CHECK(rig.engine.ledger().size() == 4);
  CHECK(domains(rig.engine.plan(rack_job("two", 4))) == std::vector<std::string>{"r1"});
}

TEST_CASE("planning again while pods live leaves them and plans the rest around them") {
  Rig rig({kRack});
  add_racks(rig, 3, 1, 4);
  workload::Workload w = with_uid(rack_job("one"), "uid-1");
  const Plan first = rig.engine.plan(w, kReserve);
  for (int i = 0; i < 2; ++i) rig.engine.upsert_pod(seen(w, i, first.groups[0].segments[0].pods[0].host));
  w.segments.pods = 12;
  w.needed_segments = 3;
  const Plan second = rig.engine.plan(w, kReserve);
  CHECK(second.fits);
  CHECK(second.groups[0].segments[0].domain == first.groups[0].segments[0].domain);
  const std::vector<std::string> used = domains(second);
  CHECK(std::set<std::string>(used.begin(), used.end()).size() == 3);
  CHECK(rig.engine.ledger().size() == 12);
  w.segments.pods = 8;
  w.needed_segments = 2;
  rig.engine.upsert_workload(w);
  CHECK(rig.engine.ledger().size() == 8);
}

TEST_CASE("a workload without a name is planned but cannot hold anything") {
  Rig rig({kRack});
  add_racks(rig, 1, 1, 4);
  workload::Workload w = rack_job("", 4);
  CHECK(rig.engine.plan(w, kReserve).fits);
  CHECK(rig.engine.ledger().empty());
}

TEST_CASE("the same inputs give the same plan whatever order they came in") {
  const auto build = [](bool reversed) {
    auto rig = std::make_unique<Rig>(std::vector<std::string>{"zone", kRack});
    std::vector<kube::Node> nodes;
    for (int i = 0; i < 24; ++i) {
      nodes.push_back(rig->node({"z" + std::to_string(i / 12), "r" + std::to_string(i / 4)}, 1 + i % 5,
                                "n" + std::to_string(100 + i)));
    }
    if (reversed) std::reverse(nodes.begin(), nodes.end());
    for (const kube::Node& node : nodes) rig->engine.upsert_node(node);
    return rig;
  };
  workload::Workload w = rack_job("one", 22, 4);
  const auto one = build(false);
  const auto two = build(true);
  const Plan a = one->engine.plan(w, kReserve);
  const Plan b = two->engine.plan(w, kReserve);
  REQUIRE(a.groups[0].segments.size() == b.groups[0].segments.size());
  for (std::size_t s = 0; s < a.groups[0].segments.size(); ++s) {
    const PlannedSegment& left = a.groups[0].segments[s];
    const PlannedSegment& right = b.groups[0].segments[s];
    CHECK(left.domain == right.domain);
    CHECK(left.reasons == right.reasons);
    for (std::size_t p = 0; p < left.pods.size(); ++p) CHECK(left.pods[p].host == right.pods[p].host);
  }
}

}  // namespace
}  // namespace toposeg::engine::test
