// Slots, pictures, whole hosts, explanations and the texts of reasons.
#include <algorithm>

#include "engine/placement/reasons.h"
#include "engine/placement/scope.h"
#include "engine/placement/views.h"
#include "unit/catch.h"
#include "unit/engine/placement/rig.h"

namespace toposeg::engine::test {
namespace {

using Catch::Matchers::Contains;

constexpr PlanOptions kReserve{.reserve = true, .budget = std::nullopt};

TEST_CASE("slots count whole segments per level") {
  Rig rig({"zone", kRack});
  rig.add({"a", "r1"}, 3, "n1");
  rig.add({"a", "r2"}, 3, "n2");
  rig.add({"b", "r3"}, 5, "n3");
  const Result<Slots> slots = rig.engine.slots("", pod(), {2, 4});
  REQUIRE(slots);
  CHECK(slots->topology == "cluster-topology");
  CHECK(slots->rows[0].slots == std::vector<std::int64_t>{5, 2});
  CHECK(slots->rows[1].slots == std::vector<std::int64_t>{4, 1});
}

TEST_CASE("slots of an unknown topology or an impossible size say what is wrong") {
  Rig rig({kRack});
  const auto unknown = rig.engine.slots("other", pod(), {2});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().code == Code::kNotFound);
  CHECK_THAT(unknown.error().message, Contains("there are: cluster-topology"));
  const auto impossible = rig.engine.slots("", pod(), {0});
  REQUIRE_FALSE(impossible);
  CHECK_THAT(impossible.error().message, Contains("segment size 0"));
}

TEST_CASE("the picture of a topology counts nodes, health, idleness and room depth first") {
  Rig rig({"zone", kRack});
  rig.add({"a", "r1"}, 2, "n1");
  rig.add({"a", "r1"}, 2, "n2");
  kube::Node sick = rig.node({"b", "r2"}, 2, "n3");
  sick.ready = false;
  rig.engine.upsert_node(sick);
  kube::Node outside;
  outside.name = "n4";
  outside.labels = {{"zone", "a"}};
  rig.engine.upsert_node(outside);
  kube::Pod busy;
  busy.namespace_ = "x";
  busy.name = "p";
  busy.uid = "p";
  busy.node_name = "n1";
  busy.requests = {{std::string(kGpu), 1}};
  rig.engine.upsert_pod(busy);

  const Result<TopologyView> view = rig.engine.view("", pod());
  REQUIRE(view);
  REQUIRE(view->domains.size() == 7);
  CHECK(view->domains[0].path == std::vector<std::string>{"a"});
  CHECK(view->domains[0].nodes == 2);
  CHECK(view->domains[0].healthy == 2);
  CHECK(view->domains[0].idle == 1);
  CHECK(view->domains[0].free == 3);
  CHECK(view->domains[2].node == "n1");
  CHECK(view->domains[2].level == 2);
  CHECK(view->domains[4].healthy == 0);
  REQUIRE(view->outside.size() == 1);
  CHECK(view->outside[0].node == "n4");
  CHECK(view->outside[0].missing_label == kRack);
}

TEST_CASE("a whole host is the commonest device in full, else cpu and memory") {
  Rig rig({kRack});
  rig.add({"r1"}, 8, "n1");
  rig.add({"r1"}, 8, "n2");
  rig.add({"r1"}, 4, "n3");
  CHECK(rig.engine.whole_host("").requests == kube::ResourceList{{std::string(kGpu), 8}});
  Rig plain({kRack});
  kube::Node node = plain.node({"r1"}, 0, "n1");
  node.allocatable = {{"cpu", 4000}, {"memory", 1024}, {"pods", 10}};
  plain.engine.upsert_node(node);
  CHECK(plain.engine.whole_host("").requests == kube::ResourceList{{"cpu", 4000}, {"memory", 1024}});
}

TEST_CASE("a whole host tolerates what keeps other pods off most of the nodes, but not bad health") {
  Rig rig({kRack});
  for (const char* name : {"n1", "n2", "n3"}) {
    kube::Node node = rig.node({"r1"}, 8, name);
    node.taints = {{std::string(kGpu), "present", kube::TaintEffect::kNoSchedule},
                   {"node.kubernetes.io/disk-pressure", "", kube::TaintEffect::kNoSchedule}};
    if (node.name == "n1") node.taints.push_back({"repair", "", kube::TaintEffect::kNoExecute});
    rig.engine.upsert_node(node);
  }
  const kube::PodSpec pod = rig.engine.whole_host("");
  CHECK(pod.tolerations ==
        std::vector<kube::Toleration>{{std::string(kGpu), "present", false, std::nullopt}});
}

TEST_CASE("the reason of a refusal counts every node once") {
  Rig rig({kRack});
  kube::Node a = rig.node({"r1"}, 4, "a");
  kube::put(a.labels, "disk", std::string("hdd"));
  kube::Node b = rig.node({"r1"}, 4, "b");
  kube::Node full = rig.node({"r2"}, 0, "c");
  kube::Node tainted = rig.node({"r2"}, 4, "d");
  tainted.taints = {{"gpu", "maintenance", kube::TaintEffect::kNoSchedule}};
  for (kube::Node* node : {&full, &tainted}) kube::put(node->labels, "disk", std::string("ssd"));
  for (const kube::Node& node : {a, b, full, tainted}) rig.engine.upsert_node(node);
  workload::Workload w = job("train", 4, 4);
  w.segment.required = kRack;
  w.worker.node_selector = {{"disk", "ssd"}};
  const Plan plan = rig.engine.plan(w);
  CHECK(plan.groups[0].segments[0].reasons.at(0) ==
        "segment 0: no rack can hold 4 pods (none holds even one); 4 nodes: 1 nvidia.com/gpu full, "
        "1 taint gpu=maintenance:NoSchedule, 2 nodeSelector, 0 outside the topology");
}

TEST_CASE("cordoned, not ready and outside nodes have their own words") {
  Rig rig({kRack});
  kube::Node cordoned = rig.node({"r1"}, 4, "a");
  cordoned.unschedulable = true;
  kube::Node sick = rig.node({"r1"}, 4, "b");
  sick.ready = false;
  kube::Node fine = rig.node({"r1"}, 1, "c");
  kube::Node outside = rig.node({}, 4, "d");
  for (const kube::Node& node : {cordoned, sick, fine, outside}) rig.engine.upsert_node(node);
  workload::Workload w = job("train", 2, 2);
  w.segment.required = kRack;
  CHECK_THAT(rig.engine.plan(w).groups[0].segments[0].reasons.at(0),
             Contains("4 nodes: 1 can take a pod, 1 cordoned, 1 not ready, 1 outside the topology"));
}

TEST_CASE("a user's own affinity restricts where segments may go") {
  Rig rig({kRack});
  rig.add({"r1"}, 4, "a");
  rig.add({"r2"}, 4, "b");
  workload::Workload w = job("train", 4, 4);
  w.segment.required = kRack;
  w.worker.has_affinity = true;
  w.worker.affinity = {{{{kRack, kube::Operator::kIn, {"r2"}}}, {}}};
  CHECK(domains(rig.engine.plan(w)) == std::vector<std::string>{"r2"});
  w.worker.affinity[0].expressions[0].values = {"r3"};
  const Plan plan = rig.engine.plan(w);
  CHECK_FALSE(plan.fits);
  CHECK_THAT(plan.groups[0].segments[0].reasons.at(0), Contains("2 node affinity"));
}

TEST_CASE("pods that repel each other on a host stand on one each") {
  Rig rig({kRack});
  for (int i = 0; i < 3; ++i) rig.add({"r1"}, 8, "a" + std::to_string(i));
  workload::Workload w = job("train", 3, 3);
  w.segment.required = kRack;
  w.worker.anti_affinity = {std::string(kHostname)};
  const Plan plan = rig.engine.plan(w);
  CHECK(plan.fits);
  std::set<std::string> hosts;
  for (const PlannedPod& planned : plan.groups[0].segments[0].pods) hosts.insert(planned.host);
  CHECK(hosts.size() == 3);
  w.segments = {4, 4, workload::SegmentRule::kPlain};
  CHECK_FALSE(rig.engine.plan(w).fits);
  w.worker.anti_affinity = {"example.com/cabinet"};
  w.worker.uncounted = {"volume claim data"};
  const Plan warned = rig.engine.plan(w);
  REQUIRE(warned.warnings.size() == 2);
  CHECK_THAT(warned.warnings[0], Contains("volume claim data"));
  CHECK_THAT(warned.warnings[1], Contains("example.com/cabinet"));
}

TEST_CASE("an explanation names the chosen rack and what the others lose on") {
  Rig rig({"zone", kRack});
  rig.add({"a", "r1"}, 9, "n1");
  rig.add({"a", "r2"}, 4, "n2");
  rig.add({"b", "r3"}, 2, "n3");
  workload::Workload w = job("train", 4, 4);
  w.segment.required = kRack;
  const auto explained = rig.engine.explain(w, 0, 0);
  REQUIRE(explained);
  CHECK(explained->segment.domain == std::vector<std::string>{"a", "r2"});
  REQUIRE(explained->candidates.size() == 3);
  CHECK(explained->candidates[0].verdict == "chosen");
  CHECK(explained->candidates[0].free == 4);
  CHECK(explained->candidates[1].verdict == "would leave 5 free instead of 0");
  CHECK(explained->candidates[2].verdict == "holds 2 of 4 pods");
  REQUIRE(explained->levels.size() == 2);
  CHECK(explained->levels[1].slots == 3);
  CHECK(explained->levels[1].largest == 9);
  CHECK_FALSE(explained->sentences.empty());
  CHECK(rig.engine.ledger().empty());
  const auto missing = rig.engine.explain(w, 0, 7);
  REQUIRE_FALSE(missing);
  CHECK_THAT(missing.error().message, Contains("there is no segment 7; they are numbered 0 to 0"));
}

TEST_CASE("levels are called by alias, else by the end of their label") {
  kube::Topology topology;
  topology.levels = {
      {"cloud.provider.com/topology-rack", ""}, {"kubernetes.io/hostname", "host"}, {"x/topology-", ""}};
  CHECK(short_name(topology, 0) == "rack");
  CHECK(short_name(topology, 1) == "host");
  CHECK(short_name(topology, 2) == "topology-");
}

TEST_CASE("equal shapes share one array and nothing is counted anew per pod") {
  Books books;
  Views views(books);
  kube::Topology topology;
  topology.name = "t";
  topology.levels = {{"rack", ""}};
  views.upsert(topology);
  kube::Node node;
  node.name = "n";
  node.labels = {{"rack", "r"}};
  node.allocatable = {{std::string(kGpu), 8}, {"pods", 10}};
  books.upsert(node);
  views.node_changed(nullptr, &node);
  const auto tree = views.tree("t");
  CHECK(views.view(tree, pod())->capacity(kRoot) == 8);
  books.charge("x", "n", pod(3).requests, {});
  CHECK(views.view(tree, pod())->capacity(kRoot) == 5);
  CHECK(views.built() == 1);
  CHECK(views.view(tree, pod(2))->capacity(kRoot) == 2);
  CHECK(views.built() == 2);
  CHECK(views.view(tree, pod(), pod(2))->beside(kRoot) == 3);
  CHECK(views.live() == 3);
  for (int i = 0; i < 100; ++i) static_cast<void>(views.view(tree, pod(1 + i)));
  CHECK(views.live() == Views::kMostLive);
}

// One topology of racks and its nodes, told to books and views as the engine tells them.
class RackViews {
 public:
  RackViews() {
    kube::Topology topology;
    topology.name = "t";
    topology.levels = {{"rack", ""}};
    views.upsert(topology);
  }
  void put(const std::string& name, const std::string& rack) {
    kube::Node node;
    node.name = name;
    node.labels = {{"rack", rack}};
    node.allocatable = {{std::string(kGpu), 8}, {"pods", 10}};
    views.node_changed(books.node(name), &node);
    books.upsert(node);
  }
  void take(const std::string& name) {
    views.node_changed(books.node(name), nullptr);
    books.remove(name);
  }
  std::int32_t room(const std::string& rack) {
    const auto tree = views.tree("t");
    const auto domain = tree->find(std::vector<std::string>{rack});
    return domain ? views.view(tree, pod())->capacity(*domain) : -1;
  }

  Books books;
  Views views{books};
};

TEST_CASE("a node that comes moves or goes is taken in without counting the others anew") {
  RackViews racks;
  racks.put("n0", "a");
  racks.put("n1", "b");
  CHECK(racks.room("a") == 8);
  const auto tree = racks.views.tree("t");
  racks.put("n0", "b");
  racks.put("n2", "c");
  CHECK(racks.room("a") == -1);
  CHECK(racks.room("b") == 16);
  CHECK(racks.room("c") == 8);
  racks.take("n1");
  CHECK(racks.room("b") == 8);
  CHECK(racks.views.built() == 1);
  CHECK(racks.views.tree("t") != tree);
  CHECK(racks.views.tree("t") == racks.views.tree("t"));
}

TEST_CASE("many nodes at once are counted anew once") {
  RackViews racks;
  racks.put("n0", "a");
  CHECK(racks.room("a") == 8);
  for (int i = 1; i < 100; ++i) racks.put("n" + std::to_string(i), "a");
  CHECK(racks.room("a") == 800);
  CHECK(racks.views.built() == 2);
}

TEST_CASE("a node that only changes its capacity keeps the tree") {
  Books books;
  Views views(books);
  kube::Topology topology;
  topology.name = "t";
  topology.levels = {{"rack", ""}};
  views.upsert(topology);
  kube::Node node;
  node.name = "n";
  node.labels = {{"rack", "r"}};
  books.upsert(node);
  const auto tree = views.tree("t");
  kube::Node larger = node;
  larger.allocatable = {{std::string(kGpu), 8}, {"pods", 10}};
  kube::put(larger.labels, "unrelated", std::string("x"));
  views.node_changed(&node, &larger);
  books.upsert(larger);
  CHECK(views.tree("t") == tree);
  CHECK(views.view(tree, pod())->capacity(kRoot) == 8);
}

TEST_CASE("the ledger's rows tell role, state and time left") {
  Rig rig({kRack});
  rig.add({"r1"}, 8, "n1");
  workload::Workload w = leader_worker_set("serve", 3, 3, workload::SegmentRule::kPlain);
  w.segment.required = kRack;
  static_cast<void>(rig.engine.plan(w, kReserve));
  const std::vector<LedgerRow> rows = rig.engine.ledger();
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].role == workload::Role::kLeader);
  CHECK(rows[1].role == workload::Role::kWorker);
  CHECK(rows[0].workload == "LeaderWorkerSet/serve");
  CHECK(rows[0].namespace_ == "team");
  CHECK(rows[0].state == "planned");
  CHECK(rows[0].seconds_left == 300);
  CHECK(rows[0].host == "n1");
}

}  // namespace
}  // namespace toposeg::engine::test
