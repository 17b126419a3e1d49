// Waiting pods before a fake API server: what is asked of it and what is sent.
#include "webhook/waiting/usher.h"

#include <set>
#include <sstream>

#include "common/kube/read.h"
#include "common/workload/normalise.h"
#include "unit/webhook/admission/operators.h"
#include "unit/webhook/kube_api/fake_server.h"

namespace toposeg::webhook {
namespace {

using kube_api::test::FakeServer;
using kube_api::test::refuses;
using kube_api::test::says;
using kube_api::test::Seen;
using testing::Document;

// One segment of three whole hosts: a rack of the small cluster.
Document job(const std::string& name) {
  Document job = testing::rack_job(name, 3, 3, 8);
  job["metadata"]["uid"] = name + "-uid";  // as pytorch_pod() refers to it
  return job;
}

// A segment of three hosts, and one of a single host behind it.
Document three_and_one() {
  Document job = testing::rack_job("waiting", 4, 3, 8);
  job["metadata"]["uid"] = "waiting-uid";
  return job;
}

class Hall {
 public:
  Hall() {
    usher = std::make_unique<Usher>(
        desk.reviewer, std::make_unique<kube_api::Client>(server.credentials(), clock),
        Usher::Environment{clock, waiter, log::Logger({.level = log::Level::kDebug, .stream = &log})});
  }
  ~Hall() {
    usher.reset();
    server.stop();
  }

  // Every host has a pod of others on it that takes all its GPUs.
  void fill() {
    for (const kube::Node& node : testing::small_cluster().nodes) desk.engine.upsert_pod(foreign(node.name));
  }
  void free_rack(const std::string& rack) {
    for (int host = 1; host <= 3; ++host) free_host(rack, host);
  }
  void free_host(const std::string& rack, int host) {
    const std::string name = "foreign-node-" + rack + "-" + std::to_string(host);
    desk.engine.remove_pod("others", name);
    usher->pod_gone("others", name);
  }
  static kube::Pod foreign(const std::string& node) {
    kube::Pod pod;
    pod.namespace_ = "others";
    pod.name = "foreign-" + node;
    pod.uid = pod.name;
    pod.node_name = node;
    kube::put<std::int64_t>(pod.requests, "nvidia.com/gpu", 8);
    return pod;
  }

  // A pod as it is after somebody else wrote to it.
  static Document rewritten(Document pod) {
    pod["metadata"]["resourceVersion"] = "8";
    pod["metadata"]["annotations"]["example.com/note"] = "seen";
    return pod;
  }

  // The job and its pods as the API server stores them after our hooks.
  std::vector<Document> submit(const Document& job, int workers) {
    const testing::Response planned = desk.create(Hook::kWorkloads, job);
    REQUIRE(planned.allowed);
    const auto topologies = desk.engine.topologies();
    const config::Config config = config::defaults();
    desk.engine.upsert_workload(
        workload::normalise(planned.object, {topologies, config.workloads, {}}).workload);
    std::vector<Document> pods;
    for (int i = 0; i < workers; ++i) {
      Document pod = desk.create(Hook::kPods, testing::pytorch_pod(planned.object, "worker", i)).object;
      const std::string name = pod["metadata"]["name"].get<std::string>();
      pod["metadata"]["uid"] = name + "-uid";
      pod["metadata"]["resourceVersion"] = "7";
      pod["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z";
      see(pod);
      pods.push_back(pod);
    }
    return pods;
  }
  void see(const Document& pod) {
    const kube::Pod record = kube::read_pod(pod).value();
    desk.engine.upsert_pod(record);
    usher->pod_seen(record);
  }
  [[nodiscard]] bool reaches(const std::function<bool(const UsherStatistics&)>& condition) const {
    const auto deadline = std::chrono::steady_clock::now() + kube_api::test::kDeadline;
    while (!condition(usher->statistics())) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::yield();
    }
    return true;
  }

  std::ostringstream log;
  SystemClock clock;
  SystemWaiter waiter;
  FakeServer server;
  testing::Desk desk;
  std::unique_ptr<Usher> usher;
};

bool is_gated(const Document& pod) {
  const Document* gates = json::at(pod, {"spec", "schedulingGates"});
  return gates != nullptr && !gates->empty();
}

// What the API server does with the patch.
Document patched(const Document& pod, const Seen& request) {
  CHECK(request.method == "PATCH");
  CHECK(request.header("content-type") == "application/json-patch+json");
  const auto applied = json::apply(pod, Document::parse(request.body));
  REQUIRE(applied);
  return *applied;
}

TEST_CASE("a_segment_is_let_in_whole_when_its_rack_is_free") {
  Hall hall;
  hall.fill();
  const std::vector<Document> pods = hall.submit(job("waiting"), 3);
  for (const Document& pod : pods) REQUIRE(is_gated(pod));
  for (const Document& pod : pods) hall.server.then(says(200, pod.dump())).then(says(200, "{}"));
  hall.usher->start();
  hall.free_rack("112");
  hall.usher->open();
  std::set<std::string> racks;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const Seen get = hall.server.request(2 * i);
    CHECK(get.method == "GET");
    CHECK(get.target == "/api/v1/namespaces/ml-team/pods/waiting-worker-" + std::to_string(i));
    const Document pod = patched(pods[i], hall.server.request(2 * i + 1));
    CHECK_FALSE(is_gated(pod));
    CHECK_FALSE(pod["metadata"]["annotations"].contains("toposeg.io/reason"));
    racks.insert(pod["metadata"]["annotations"]["toposeg.io/domain"].get<std::string>());
  }
  CHECK(racks == std::set<std::string>{R"(["zone-1","block-11","rack-112"])"});
  CHECK(hall.reaches([](const auto& now) { return now.let_in == 3 && now.waiting_pods == 0; }));
}

TEST_CASE("nothing_is_let_in_before_the_view_is_complete_nor_while_there_is_no_room") {
  Hall hall;
  hall.fill();
  const std::vector<Document> pods = hall.submit(job("waiting"), 3);
  hall.server.then(says(200, pods[0].dump()));
  hall.usher->start();
  CHECK(hall.server.seen().empty());
  hall.usher->open();
  (void)hall.server.request(0);
  CHECK(hall.reaches([](const auto& now) { return now.passes > 0; }));
  CHECK(hall.server.seen().size() == 1);  // looked at, and left waiting
  CHECK(hall.usher->statistics().let_in == 0);
}

TEST_CASE("a_pod_that_changed_in_between_is_read_again_and_its_space_is_not_lost") {
  Hall hall;
  hall.fill();
  const std::vector<Document> pods = hall.submit(job("waiting"), 1);
  hall.server.then(says(200, pods[0].dump()))
      .then(refuses(409, "Conflict", "the object has been modified"))
      .then(says(200, pods[0].dump()))
      .then(says(200, "{}"));
  hall.free_rack("112");
  hall.usher->start();
  hall.usher->open();
  CHECK_FALSE(is_gated(patched(pods[0], hall.server.request(3))));
  CHECK(hall.reaches([](const auto& now) { return now.let_in == 1; }));
}

TEST_CASE("a_pod_that_outran_its_patch_is_decided_on_again_at_once_as_it_is_now") {
  Hall hall;
  hall.fill();
  const std::vector<Document> pods = hall.submit(job("waiting"), 1);
  const Document now = Hall::rewritten(pods[0]);
  hall.server.then(says(200, pods[0].dump()))
      .then(refuses(422, "Invalid", "the server rejected our request due to an error in our request"))
      .then(says(200, now.dump()))
      .then(says(200, "{}"));
  hall.free_rack("112");
  hall.usher->start();
  hall.usher->open();
  CHECK_FALSE(is_gated(patched(now, hall.server.request(3))));
  CHECK(hall.reaches([](const auto& now) { return now.let_in == 1; }));
  CHECK(hall.usher->statistics().failed == 0);
}

TEST_CASE("a_pod_that_may_not_be_changed_is_told_apart_from_one_that_changed") {
  Hall hall;
  hall.fill();
  const std::vector<Document> pods = hall.submit(job("waiting"), 1);
  hall.server.then(says(200, pods[0].dump()))
      .then(refuses(422, "Invalid", "spec: Forbidden: pod updates may not change fields"))
      .then(says(200, pods[0].dump()));
  hall.free_rack("112");
  hall.usher->start();
  hall.usher->open();
  CHECK(hall.reaches([](const auto& now) { return now.failed == 1; }));
  CHECK(hall.usher->statistics().let_in == 0);
  hall.usher->stop();
  CHECK(hall.log.str().find("may not change fields") != std::string::npos);
  CHECK(hall.server.seen().size() == 3);  // not tried again before its time
}

TEST_CASE("a_pod_that_lost_its_gate_otherwise_is_let_alone") {
  Hall hall;
  hall.fill();
  const std::vector<Document> pods = hall.submit(job("waiting"), 1);
  Document open = Hall::rewritten(pods[0]);
  open["spec"].erase("schedulingGates");
  hall.server.then(says(200, pods[0].dump()))
      .then(refuses(422, "Invalid", "the server rejected our request due to an error in our request"))
      .then(says(200, open.dump()));
  hall.free_rack("112");
  hall.usher->start();
  hall.usher->open();
  CHECK(hall.reaches([](const auto& now) { return now.waiting_pods == 0 && now.passes > 0; }));
  CHECK(hall.usher->statistics().let_in == 0);
  CHECK(hall.usher->statistics().failed == 0);
}

std::string reason_of(const Document& pod) {
  return json::text_at(pod, {"metadata", "annotations", "toposeg.io/reason"});
}

TEST_CASE("all_pods_of_a_waiting_segment_say_so_when_the_reason_is_another_one") {
  Hall hall;
  hall.fill();
  const std::vector<Document> pods = hall.submit(job("waiting"), 3);
  hall.server.then(says(200, pods[0].dump()));
  for (std::size_t i = 0; i < pods.size(); ++i) hall.server.then(says(200, "{}"));
  hall.free_host("111", 1);
  hall.usher->start();
  hall.usher->open();
  (void)hall.server.request(0);
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const Seen request = hall.server.request(1 + i);
    CHECK(request.target == "/api/v1/namespaces/ml-team/pods/waiting-worker-" + std::to_string(i));
    const Document pod = patched(pods[i], request);
    CHECK(is_gated(pod));
    CHECK(reason_of(pods[i]).find("none holds even one") != std::string::npos);
    CHECK(reason_of(pod).find("holds 1 of 3") != std::string::npos);
  }
}

TEST_CASE("a_segment_behind_a_waiting_one_says_why_it_waits_itself_or_for_its_turn") {
  Hall hall;
  hall.fill();
  const std::vector<Document> pods = hall.submit(three_and_one(), 4);
  hall.server.then(says(200, pods[0].dump()));
  hall.free_host("111", 1);
  for (std::size_t i = 0; i < 3; ++i) hall.server.then(says(200, "{}"));
  hall.server.then(says(200, pods[3].dump())).then(says(200, "{}"));
  hall.usher->start();
  hall.usher->open();
  const Seen request = hall.server.request(5);  // after the reasons of segment 0, and the pod of segment 1
  CHECK(request.target.ends_with("/waiting-worker-3"));
  CHECK(reason_of(patched(pods[3], request)) == "segment 0 comes first and has no room yet");
  CHECK(hall.usher->statistics().let_in == 0);
}

TEST_CASE("a_pod_that_is_gone_gives_back_what_was_reserved_for_it") {
  Hall hall;
  hall.fill();
  const std::vector<Document> pods = hall.submit(job("waiting"), 1);
  hall.server.then(says(200, pods[0].dump())).then(refuses(404, "NotFound", "not found"));
  hall.free_rack("112");
  hall.usher->start();
  hall.usher->open();
  (void)hall.server.request(1);
  CHECK(hall.reaches([](const auto& now) { return now.passes > 0; }));
  for (const engine::LedgerRow& row : hall.desk.engine.ledger()) CHECK(row.state != "admitted");
}

TEST_CASE("pods_whose_workload_is_gone_are_not_let_in") {
  Hall hall;
  hall.fill();
  const std::vector<Document> pods = hall.submit(job("waiting"), 1);
  hall.desk.engine.remove_workload(workload::member_of(pods[0], "ml-team")->workload);
  hall.server.then(says(200, pods[0].dump()));
  hall.free_rack("112");
  hall.usher->start();
  hall.usher->open();
  (void)hall.server.request(0);
  CHECK(hall.reaches([](const auto& now) { return now.passes > 0; }));
  CHECK(hall.server.seen().size() == 1);
  CHECK(hall.desk.engine.ledger().empty());
}

}  // namespace
}  // namespace toposeg::webhook
