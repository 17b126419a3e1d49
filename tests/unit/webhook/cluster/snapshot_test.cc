#include "webhook/cluster/snapshot.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "unit/catch.h"
#include "unit/folder.h"

namespace toposeg::webhook {
namespace {

using toposeg::test::Folder;

std::string node(const std::string& name) {
  return "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: " + name +
         "\n  labels: {rack: r1, host: " + name +
         "}\nstatus:\n  allocatable: {cpu: \"8\", pods: \"10\"}\n  conditions: [{type: Ready, status: "
         "\"True\"}]\n";
}

const char* const kTopology =
    "---\napiVersion: kai.scheduler/v1alpha1\nkind: Topology\nmetadata: {name: net}\n"
    "spec: {levels: [{nodeLabel: rack}, {nodeLabel: host}]}\n";

const char* const kJob = R"(---
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: job, namespace: team, uid: job-uid}
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: 4
      template:
        metadata:
          annotations:
            kai.scheduler/topology: net
            kai.scheduler/segment-size: "2"
            kai.scheduler/segment-topology-required-placement: rack
        spec: {containers: [{name: pytorch, resources: {requests: {cpu: "1"}}}]}
)";

struct Fixture {
  Folder folder;
  ManualClock clock;
  engine::Engine engine{{}, clock};
  const config::WorkloadConfig config = config::defaults().workloads;
  Snapshot snapshot{{folder.path("a.yaml")}, engine, config, clock};

  [[nodiscard]] std::int64_t hosts() {
    kube::PodSpec pod;
    kube::put<std::int64_t>(pod.requests, "cpu", 8000);
    const auto slots = engine.slots("", pod, {1});
    return slots ? slots->rows.back().slots[0] : -1;
  }
};

TEST_CASE_METHOD(Fixture, "a_file_of_nodes_and_a_topology_gives_the_engine_its_cluster") {
  folder.write("a.yaml", kTopology + node("n1") + node("n2"));
  const auto content = snapshot.load();
  REQUIRE(content.has_value());
  CHECK(content->nodes == 2);
  CHECK(content->topologies == 1);
  CHECK(hosts() == 2);
  CHECK(snapshot.loaded());
  CHECK(snapshot.readings() == 1);
}

TEST_CASE_METHOD(Fixture, "several_files_are_one_cluster") {
  folder.write("a.yaml", kTopology);
  folder.write("b.yaml", node("n1"));
  Snapshot both({folder.path("a.yaml"), folder.path("b.yaml")}, engine, config, clock);
  REQUIRE(both.load().has_value());
  CHECK(hosts() == 1);
}

TEST_CASE_METHOD(Fixture, "a_changed_file_is_read_again_and_an_unchanged_one_is_not") {
  folder.write("a.yaml", kTopology + node("n1"));
  REQUIRE(snapshot.load().has_value());
  CHECK_FALSE(snapshot.poll().has_value());
  folder.write("a.yaml", kTopology + node("n1") + node("n2"));
  const auto polled = snapshot.poll();
  REQUIRE(polled.has_value());
  CHECK(polled->has_value());
  CHECK(hosts() == 2);
  CHECK_FALSE(snapshot.poll().has_value());
  CHECK(snapshot.readings() == 2);
}

TEST_CASE_METHOD(Fixture, "a_broken_file_keeps_the_last_good_cluster_and_is_told_once") {
  folder.write("a.yaml", kTopology + node("n1"));
  REQUIRE(snapshot.load().has_value());
  folder.write("a.yaml", "kind: [");
  const auto polled = snapshot.poll();
  REQUIRE(polled.has_value());
  REQUIRE_FALSE(polled->has_value());
  CHECK(polled->error().text().find("a.yaml") != std::string::npos);
  CHECK_FALSE(snapshot.poll().has_value());
  CHECK(hosts() == 1);
  CHECK(snapshot.faults() == 1);
  folder.write("a.yaml", kTopology + node("n1") + node("n2"));
  REQUIRE(snapshot.poll().has_value());
  CHECK(hosts() == 2);
}

TEST_CASE_METHOD(Fixture, "a_file_that_goes_away_and_comes_back_is_noticed_both_times") {
  folder.write("a.yaml", kTopology + node("n1"));
  REQUIRE(snapshot.load().has_value());
  std::filesystem::remove(folder.path("a.yaml"));
  const auto gone = snapshot.poll();
  REQUIRE(gone.has_value());
  CHECK(gone->error().code == Code::kUnavailable);
  CHECK(hosts() == 1);
  folder.write("a.yaml", kTopology + node("n1") + node("n2"));
  REQUIRE(snapshot.poll().has_value());
  CHECK(hosts() == 2);
}

TEST_CASE_METHOD(Fixture, "a_missing_file_at_the_start_is_an_error_that_names_it") {
  const auto content = snapshot.load();
  REQUIRE_FALSE(content.has_value());
  CHECK(content.error().code == Code::kUnavailable);
  CHECK(content.error().text().find("a.yaml") != std::string::npos);
  CHECK_FALSE(snapshot.loaded());
}

TEST_CASE_METHOD(Fixture, "workloads_in_the_file_are_known_until_they_leave_it") {
  const workload::Identity identity{"kubeflow.org", "PyTorchJob", "team", "job", ""};
  folder.write("a.yaml", kTopology + node("n1") + kJob);
  const auto content = snapshot.load();
  REQUIRE(content.has_value());
  CHECK(content->workloads == 1);
  const auto known = engine.known(identity);
  REQUIRE(known.has_value());
  CHECK(known->segments.pods == 4);
  CHECK(known->segments.size == 2);
  folder.write("a.yaml", kTopology + node("n1"));
  REQUIRE(snapshot.poll().has_value());
  CHECK_FALSE(engine.known(identity).has_value());
}

TEST_CASE_METHOD(Fixture, "a_faulty_workload_is_noted_by_name_and_the_rest_is_taken") {
  std::string faulty = kJob;
  faulty.replace(faulty.find("segment-size: \"2\""), 17, "segment-size: \"9\"");
  folder.write("a.yaml", kTopology + node("n1") + faulty);
  const auto content = snapshot.load();
  REQUIRE(content.has_value());
  CHECK(content->workloads == 0);
  REQUIRE(content->notes.size() == 1);
  CHECK(content->notes[0].find("PyTorchJob team/job") == 0);
  CHECK(hosts() == 1);
}

TEST_CASE_METHOD(Fixture, "objects_of_other_kinds_are_passed_over_with_a_note") {
  folder.write("a.yaml",
               kTopology + node("n1") +
                   "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n---\napiVersion: v1\n"
                   "kind: ConfigMap\nmetadata: {name: y}\n");
  const auto content = snapshot.load();
  REQUIRE(content.has_value());
  CHECK(content->notes == std::vector<std::string>{"2 ConfigMap passed over"});
}

TEST_CASE_METHOD(Fixture, "the_age_counts_from_the_last_time_the_file_was_seen_unchanged_or_read_well") {
  folder.write("a.yaml", kTopology + node("n1"));
  CHECK(snapshot.age() == std::chrono::seconds(0));
  REQUIRE(snapshot.load().has_value());
  clock.advance(std::chrono::seconds(30));
  CHECK(snapshot.age() == std::chrono::seconds(30));
  CHECK_FALSE(snapshot.poll().has_value());
  CHECK(snapshot.age() == std::chrono::seconds(0));
  folder.write("a.yaml", "kind: [");
  clock.advance(std::chrono::seconds(10));
  CHECK(snapshot.poll().has_value());
  CHECK_FALSE(snapshot.poll().has_value());
  CHECK(snapshot.age() == std::chrono::seconds(10));
}

}  // namespace
}  // namespace toposeg::webhook
