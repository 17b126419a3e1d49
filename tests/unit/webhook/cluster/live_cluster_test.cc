// A live cluster before a fake API server that answers by what it is asked for.
#include "webhook/cluster/live_cluster.h"

#include <chrono>
#include <ctime>
#include <iomanip>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "common/base/random.h"
#include "common/base/waiter.h"
#include "unit/catch.h"
#include "unit/webhook/kube_api/fake_server.h"

namespace toposeg::webhook {
namespace {

using json::Document;
using kube_api::test::Exchange;
using kube_api::test::FakeServer;

class Notes final : public ClusterListener {
 public:
  void pod_seen(const kube::Pod& pod) override { note("pod " + pod.name); }
  void pod_gone(std::string_view /*namespace_*/, std::string_view name) override {
    note("no pod " + std::string(name));
  }
  void workload_seen(const workload::Workload& workload, const Document& /*object*/, bool fresh) override {
    note((fresh ? "new " : "known ") + workload.identity.name);
  }
  void workload_gone(const workload::Identity& identity) override { note("no " + identity.name); }
  void room_changed() override { note("room"); }

  [[nodiscard]] bool has(const std::string& line) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kube_api::test::kDeadline, [&] { return lines_.contains(line); });
  }

 private:
  void note(const std::string& line) {
    const std::scoped_lock lock(mutex_);
    ++lines_[line];
    changed_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, int> lines_;
};

Document node(const std::string& name, const std::string& rack) {
  return {{"apiVersion", "v1"},
          {"kind", "Node"},
          {"metadata", {{"name", name}, {"resourceVersion", "1"}, {"labels", {{"rack", rack}}}}},
          {"status", {{"allocatable", {{"cpu", "64"}, {"pods", "110"}, {"nvidia.com/gpu", "8"}}}}}};
}

Document topology(const std::string& group, const std::string& name, const std::string& label) {
  return {{"apiVersion", group + "/v1"},
          {"kind", "Topology"},
          {"metadata", {{"name", name}, {"resourceVersion", "1"}}},
          {"spec", {{"levels", Document::array({{{"nodeLabel", label}}})}}}};
}

Document job(const std::string& name, const std::string& created) {
  Document container{{"name", "pytorch"}, {"image", "i"}};
  container["resources"]["limits"]["nvidia.com/gpu"] = "8";
  Document worker{{"replicas", 2}};
  worker["template"]["metadata"]["annotations"] = {
      {"kai.scheduler/topology", "site"},
      {"kai.scheduler/segment-size", "2"},
      {"kai.scheduler/segment-topology-required-placement", "rack"}};
  worker["template"]["spec"]["containers"] = Document::array({container});
  Document job{{"apiVersion", "kubeflow.org/v1"}, {"kind", "PyTorchJob"}};
  job["metadata"] = {{"name", name},
                     {"namespace", "team"},
                     {"uid", name + "-uid"},
                     {"resourceVersion", "1"},
                     {"creationTimestamp", created}};
  job["spec"]["pytorchReplicaSpecs"]["Worker"] = worker;
  return job;
}

// The resources by plural and group; those that are not here do not exist.
class World {
 public:
  explicit World(std::map<std::string, std::vector<Document>> resources) : resources_(std::move(resources)) {
    for (int i = 0; i < 200; ++i) server.then([this](Exchange& exchange) { answer(exchange); });
    cluster = std::make_unique<LiveCluster>(
        server.credentials(), engine, config.workloads, notes,
        kube_api::Environment{clock, waiter, random,
                              log::Logger({.level = log::Level::kDebug, .stream = &log})});
  }
  ~World() {
    cluster.reset();
    server.stop();
  }

  [[nodiscard]] bool settles() const {
    const auto deadline = std::chrono::steady_clock::now() + kube_api::test::kDeadline;
    while (!cluster->settle(std::chrono::seconds(300))) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::yield();
    }
    return true;
  }
  // Of a day before now, as every test's clock tells it.
  static std::string long_ago() { return "2020-01-01T00:00:00Z"; }

  std::ostringstream log;
  SystemClock clock;
  SystemWaiter waiter;
  FixedRandom random{0.5};
  const config::Config config = config::defaults();
  engine::Engine engine{{}, clock};
  Notes notes;
  FakeServer server;
  std::unique_ptr<LiveCluster> cluster;

 private:
  [[nodiscard]] const std::vector<Document>* asked_for(const std::string& target) const {
    const std::string path = target.substr(0, target.find('?'));
    for (const auto& [resource, objects] : resources_) {
      if (path.ends_with(resource)) return &objects;
    }
    return nullptr;
  }

  // What there is of a group: its versions, or the resources of one.
  [[nodiscard]] std::optional<Document> discovery(const std::string& path) const {
    const std::string root = "/apis/";
    if (!path.starts_with(root)) return std::nullopt;
    const std::string asked = path.substr(root.size() - 1);  // /group, or /group/version
    Document found{{"versions", Document::array()}, {"resources", Document::array()}};
    for (const auto& [resource, objects] : resources_) {
      const std::size_t slash = resource.rfind('/');
      const std::string of = resource.substr(0, slash);  // /group/version
      if (of == asked) found["resources"].push_back({{"name", resource.substr(slash + 1)}});
      if (of.starts_with(asked + "/"))
        found["versions"].push_back({{"version", of.substr(asked.size() + 1)}});
    }
    return found["versions"].empty() && found["resources"].empty() ? std::nullopt : std::optional(found);
  }

  void answer(Exchange& exchange) const {
    if (const auto found = discovery(exchange.seen().target)) return exchange.reply(200, found->dump());
    const auto* objects = asked_for(exchange.seen().target);
    if (objects == nullptr) {
      return exchange.reply(404, kube_api::test::status_object(404, "NotFound", "no such resource"));
    }
    if (!exchange.seen().asks("watch=1") && !exchange.seen().asks("watch=true")) {
      Document list{{"metadata", {{"resourceVersion", "5"}}}, {"items", Document(*objects)}};
      return exchange.reply(200, list.dump());
    }
    exchange.begin();
    if (exchange.seen().asks("sendInitialEvents=true")) {
      for (const Document& object : *objects) {
        exchange.chunk(Document{{"type", "ADDED"}, {"object", object}}.dump() + "\n");
      }
      Document end{{"metadata", {{"resourceVersion", "5"}}}};
      end["metadata"]["annotations"]["k8s.io/initial-events-end"] = "true";
      exchange.chunk(Document{{"type", "BOOKMARK"}, {"object", end}}.dump() + "\n");
    }
    exchange.hold();
  }

  const std::map<std::string, std::vector<Document>> resources_;
};

const std::string kNodes = "/api/v1/nodes";
const std::string kPods = "/api/v1/pods";
const std::string kKai = "/kai.scheduler/v1alpha1/topologies";
const std::string kKueue = "/kueue.x-k8s.io/v1beta1/topologies";
const std::string kJobs = "/kubeflow.org/v1/pytorchjobs";

TEST_CASE("a_cluster_without_any_of_the_custom_kinds_is_loaded_all_the_same") {
  World world({{kNodes, {node("n1", "r1")}}, {kPods, {}}});
  CHECK_FALSE(world.cluster->loaded());
  world.cluster->start();
  REQUIRE(world.settles());
  CHECK(world.cluster->loaded());
  CHECK(world.engine.topologies().empty());
  std::map<std::string, kube_api::ReflectorState> states;
  for (const auto& [resource, now] : world.cluster->statistics()) states[resource] = now.state;
  CHECK(states["nodes"] == kube_api::ReflectorState::kLive);
  CHECK(states["pytorchjobs.kubeflow.org"] == kube_api::ReflectorState::kAbsent);
}

TEST_CASE("topologies_of_both_groups_are_known_and_of_one_name_the_one_of_kai_counts") {
  World world(
      {{kNodes, {node("n1", "r1")}},
       {kPods, {}},
       {kKai, {topology("kai.scheduler", "site", "rack")}},
       {kKueue, {topology("kueue.x-k8s.io", "site", "hall"), topology("kueue.x-k8s.io", "two", "hall")}}});
  world.cluster->start();
  REQUIRE(world.settles());
  const auto known = world.engine.topologies();
  REQUIRE(known.size() == 2);
  CHECK(known[0].api_group == "kai.scheduler");
  CHECK(known[1].name == "two");
}

TEST_CASE("whichever_version_of_a_kind_is_served_is_followed") {
  const std::string version = GENERATE("v1beta1", "v1beta2", "v2");
  World world({{kNodes, {node("n1", "r1")}},
               {kPods, {}},
               {"/kueue.x-k8s.io/" + version + "/topologies", {topology("kueue.x-k8s.io", "site", "rack")}}});
  world.cluster->start();
  REQUIRE(world.settles());
  REQUIRE(world.engine.topologies().size() == 1);
  CHECK(world.engine.topologies()[0].name == "site");
}

TEST_CASE("a_kind_that_is_served_in_two_versions_is_followed_once") {
  World world({{kNodes, {node("n1", "r1")}},
               {kPods, {}},
               {kKueue, {topology("kueue.x-k8s.io", "old", "rack")}},
               {"/kueue.x-k8s.io/v1beta2/topologies", {topology("kueue.x-k8s.io", "new", "rack")}}});
  world.cluster->start();
  REQUIRE(world.settles());
  REQUIRE(world.engine.topologies().size() == 1);
  CHECK(world.engine.topologies()[0].name == "new");
}

std::string seconds_ago(int ago) {
  std::ostringstream text;
  const std::time_t time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()) - ago;
  text << std::put_time(std::gmtime(&time), "%Y-%m-%dT%H:%M:%SZ");
  return text.str();
}

Document planned(Document job, const std::string& rack) {
  job["metadata"]["annotations"]["toposeg.io/plan"] =
      R"({"v":1,"topology":"site","levels":["rack"],"groups":[{"group":0,"runs":[[1,0,")" + rack +
      R"("]]}]})";
  return job;
}

std::set<std::string> hosts_of(const World& world, const std::string& workload) {
  std::set<std::string> hosts;
  for (const engine::LedgerRow& row : world.engine.ledger()) {
    if (row.workload == "PyTorchJob/" + workload) hosts.insert(row.host);
  }
  return hosts;
}

TEST_CASE("after_a_restart_a_plan_that_was_told_is_held_and_one_that_was_not_is_made_beside_it") {
  // Planned anew the older job would take the first rack that fits, and so would the younger one.
  World world({{kNodes, {node("n1", "r1"), node("n2", "r1"), node("n3", "r2"), node("n4", "r2")}},
               {kPods, {}},
               {kKai, {topology("kai.scheduler", "site", "rack")}},
               {kJobs, {job("older", seconds_ago(60)), planned(job("younger", seconds_ago(30)), "r1")}}});
  world.cluster->start();
  REQUIRE(world.settles());
  CHECK(hosts_of(world, "younger") == std::set<std::string>{"n1", "n2"});
  CHECK(hosts_of(world, "older") == std::set<std::string>{"n3", "n4"});
}

TEST_CASE("after_a_restart_a_plan_that_cannot_be_read_or_kept_is_made_anew") {
  const std::string plan =
      GENERATE("nonsense", R"({"v":1,"topology":"site","levels":["rack"],"groups":[]})",
               R"({"v":1,"topology":"gone","levels":["rack"],"groups":[{"group":0,"runs":[[1,0,"r2"]]}]})",
               R"({"v":1,"topology":"site","levels":["hall"],"groups":[{"group":0,"runs":[[1,0,"r2"]]}]})",
               R"({"v":1,"topology":"site","levels":["rack"],"groups":[{"group":7,"runs":[[9,0,"r2"]]}]})",
               R"({"v":1,"topology":"site","levels":["rack"],"groups":[{"group":0,"runs":[[1,0,"r3"]]}]})");
  Document told = job("told", seconds_ago(30));
  told["metadata"]["annotations"]["toposeg.io/plan"] = plan;
  World world({{kNodes, {node("n1", "r1"), node("n2", "r1"), node("n3", "r2"), node("n4", "r2")}},
               {kPods, {}},
               {kKai, {topology("kai.scheduler", "site", "rack")}},
               {kJobs, {told}}});
  world.cluster->start();
  REQUIRE(world.settles());
  CHECK(hosts_of(world, "told") == std::set<std::string>{"n1", "n2"});
}

TEST_CASE(
    "after_a_restart_young_jobs_hold_their_space_again_the_oldest_first_and_old_ones_without_pods_none") {
  World world(
      {{kNodes, {node("n1", "r1"), node("n2", "r1"), node("n3", "r2")}},
       {kPods, {}},
       {kKai, {topology("kai.scheduler", "site", "rack")}},
       {kJobs,
        {job("a-late", seconds_ago(5)), job("b-early", seconds_ago(20)), job("c-old", World::long_ago())}}});
  world.cluster->start();
  REQUIRE(world.settles());
  // One rack has room for one of them.
  for (const engine::LedgerRow& row : world.engine.ledger()) CHECK(row.workload == "PyTorchJob/b-early");
  CHECK(world.engine.ledger().size() == 2);
  CHECK(world.notes.has("known c-old"));
}

TEST_CASE("what_cannot_be_read_is_told_in_the_log_and_the_rest_still_counts") {
  Document broken = node("broken", "r1");
  broken["status"]["allocatable"]["cpu"] = "many";
  World world({{kNodes, {broken, node("n1", "r1")}},
               {kPods, {}},
               {kKai, {topology("kai.scheduler", "site", "rack")}}});
  world.cluster->start();
  REQUIRE(world.settles());
  const auto view = world.engine.view("site", {});
  REQUIRE(view);
  int nodes = 0;
  for (const engine::DomainView& domain : view->domains) nodes += domain.node.empty() ? 0 : 1;
  CHECK(nodes == 1);
  world.cluster->stop();
  CHECK(world.log.str().find("Object passed over") != std::string::npos);
  CHECK(world.log.str().find("many") != std::string::npos);
}

}  // namespace
}  // namespace toposeg::webhook
