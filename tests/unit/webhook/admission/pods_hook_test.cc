#include <map>
#include <set>

#include "unit/webhook/admission/operators.h"
#include "webhook/admission/plan_annotation.h"

namespace toposeg::webhook {
namespace {

using testing::Desk;
using testing::Document;
using testing::lws_pod;
using testing::pytorch_pod;
using testing::rack_job;
using testing::recorded_object;
using testing::Response;
using testing::review_of;

// Whether a node with these labels passes the pod's required node affinity (In only, as we write it).
bool allows(const Document& pod, const kube::Node& node) {
  const Document* terms =
      json::at(pod, {"spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution",
                     "nodeSelectorTerms"});
  if (terms == nullptr) return true;
  return std::any_of(terms->begin(), terms->end(), [&](const Document& term) {
    const Document expressions = term.value("matchExpressions", Document::array());
    return std::all_of(expressions.begin(), expressions.end(), [&](const Document& one) {
      const std::string* value = kube::find(node.labels, one["key"].get<std::string>());
      return value != nullptr &&
             std::find(one["values"].begin(), one["values"].end(), *value) != one["values"].end();
    });
  });
}

std::set<std::string> racks_allowed(const Document& pod) {
  std::set<std::string> racks;
  for (const kube::Node& node : testing::small_cluster().nodes) {
    if (allows(pod, node)) racks.insert(*kube::find(node.labels, "cloud.provider.com/topology-rack"));
  }
  return racks;
}

std::string rack_of(const Response& pod) {
  const std::string domain = pod.annotation("toposeg.io/domain");
  return domain.empty() ? std::string() : Document::parse(domain)[2].get<std::string>();
}

TEST_CASE("each_worker_of_the_pages_job_lands_in_the_rack_that_its_segment_was_given") {
  Desk desk;
  const Response job = desk.create(Hook::kWorkloads, recorded_object("pytorchjob-create-kubectl-create"));
  const PlanSummary plan = parse_plan_annotation(job.annotation("toposeg.io/plan")).value();
  for (const int index : {5, 0, 15, 1, 2, 3, 4, 14, 13, 12, 6, 7, 8, 9, 10, 11}) {
    INFO(index);
    const Response pod = desk.create(Hook::kPods, pytorch_pod(job.object, "worker", index));
    REQUIRE(pod.allowed);
    CHECK(pod.warnings.empty());
    CHECK(pod.annotation("toposeg.io/segment") == std::to_string(index / 4));
    const std::string rack = plan.groups[0].segments[static_cast<std::size_t>(index) / 4].domain[2];
    CHECK(rack_of(pod) == rack);
    CHECK(racks_allowed(pod.object) == std::set<std::string>{rack});
    CHECK(pod.object["metadata"]["labels"]["toposeg.io/segment"] == std::to_string(index / 4));
    CHECK_FALSE(pod.object["spec"].contains("topologySpreadConstraints"));
    CHECK_FALSE(pod.object["spec"].contains("schedulingGates"));
  }
}

TEST_CASE("the_master_of_the_pages_first_job_is_left_alone") {
  Desk desk;
  const Response job = desk.create(Hook::kWorkloads, recorded_object("pytorchjob-create-kubectl-create"));
  const Response master = desk.create(Hook::kPods, pytorch_pod(job.object, "master", 0));
  CHECK(master.allowed);
  CHECK(master.annotation("toposeg.io/segment").empty());
  CHECK(racks_allowed(master.object).size() == 8);
}

TEST_CASE("the_master_of_a_job_with_a_required_zone_goes_to_the_zone_of_its_workers") {
  Desk desk;
  const Response job =
      desk.create(Hook::kWorkloads, recorded_object("pytorchjob-root-annotations-create-field-manager"));
  const Response master = desk.create(Hook::kPods, pytorch_pod(job.object, "master", 0));
  const Response worker = desk.create(Hook::kPods, pytorch_pod(job.object, "worker", 3));
  const auto racks = racks_allowed(master.object);
  CHECK(racks.size() == 4);
  CHECK(racks.contains(rack_of(worker)));
  CHECK(master.annotation("toposeg.io/segment").empty());
}

TEST_CASE("leader_and_workers_of_the_pages_leader_worker_set_share_racks_by_segment") {
  Desk desk;
  const Response lws = desk.create(
      Hook::kWorkloads, recorded_object("lws-leaderworker-create-kubectl-create-before-lws-webhook"));
  std::map<std::string, std::set<std::string>> racks;
  for (int worker = 0; worker < 5; ++worker) {
    INFO(worker);
    const Response pod = desk.create(Hook::kPods, lws_pod(lws.object, 0, worker));
    REQUIRE(pod.allowed);
    const std::string segment = worker < 3 ? "0" : "1";
    CHECK(pod.annotation("toposeg.io/segment") == segment);
    racks[segment].insert(rack_of(pod));
    CHECK(racks_allowed(pod.object) == std::set<std::string>{rack_of(pod)});
    CHECK(pod.object["spec"]["topologySpreadConstraints"].size() == 1);
  }
  CHECK(racks["0"].size() == 1);
  CHECK(racks["1"].size() == 1);
}

TEST_CASE("a_leader_with_a_template_of_its_own_is_warned_about_when_its_set_is_not_known") {
  Desk desk;
  Document lws = recorded_object("lws-leaderworker-create-kubectl-create-before-lws-webhook");
  Document& inner = lws["spec"]["leaderWorkerTemplate"];
  inner["leaderTemplate"] = {{"metadata", Document::object()}, {"spec", inner["workerTemplate"]["spec"]}};
  const Response leader = desk.create(Hook::kPods, lws_pod(lws, 0, 0));
  CHECK(leader.warns("the leader is not placed: LeaderWorkerSet"));
  CHECK(leader.annotation("toposeg.io/domain").empty());
  const Document known = desk.create(Hook::kWorkloads, lws).object;
  const Response placed = desk.create(Hook::kPods, lws_pod(known, 0, 0));
  CHECK_FALSE(placed.warns("the leader is not placed"));
  CHECK_FALSE(placed.annotation("toposeg.io/domain").empty());
}

TEST_CASE("an_excluded_leader_is_in_no_segment") {
  Desk desk;
  const Response lws =
      desk.create(Hook::kWorkloads, recorded_object("lws-leaderexcluded-create-kubectl-apply"));
  const Response leader = desk.create(Hook::kPods, lws_pod(lws.object, 0, 0));
  CHECK(leader.annotation("toposeg.io/segment").empty());
  CHECK(desk.create(Hook::kPods, lws_pod(lws.object, 0, 2)).annotation("toposeg.io/segment") == "0");
  CHECK(desk.create(Hook::kPods, lws_pod(lws.object, 0, 3)).annotation("toposeg.io/segment") == "1");
}

TEST_CASE("neutral_spreading_can_be_switched_off") {
  config::Config config = config::defaults();
  config.pods.neutral_spreading = false;
  Desk desk(config);
  const Response lws = desk.create(
      Hook::kWorkloads, recorded_object("lws-leaderworker-create-kubectl-create-before-lws-webhook"));
  const Response pod = desk.create(Hook::kPods, lws_pod(lws.object, 0, 1));
  CHECK_FALSE(pod.object["spec"].contains("topologySpreadConstraints"));
}

TEST_CASE("a_pod_that_is_made_again_goes_back_to_its_host") {
  Desk desk;
  const Response job = desk.create(Hook::kWorkloads, rack_job("job", 12, 3, 8));
  std::map<int, std::string> hosts;
  for (int index = 0; index < 12; ++index) {
    hosts[index] = desk.create(Hook::kPods, pytorch_pod(job.object, "worker", index))
                       .annotation("toposeg.io/nominal-host");
  }
  CHECK(desk.create(Hook::kWorkloads, rack_job("other", 12, 3, 8)).warnings.empty());
  const Response again = desk.create(Hook::kPods, pytorch_pod(job.object, "worker", 5));
  CHECK(again.annotation("toposeg.io/nominal-host") == hosts[5]);
}

TEST_CASE("pods_of_two_jobs_never_share_a_host_that_only_one_fits_on") {
  Desk desk;
  const Response first = desk.create(Hook::kWorkloads, rack_job("first", 12, 3, 8));
  const Response second = desk.create(Hook::kWorkloads, rack_job("second", 12, 3, 8));
  std::set<std::string> hosts;
  for (int index = 11; index >= 0; --index) {
    for (const Response* job : {&first, &second}) {
      const Response pod = desk.create(Hook::kPods, pytorch_pod(job->object, "worker", index));
      CHECK(hosts.insert(pod.annotation("toposeg.io/nominal-host")).second);
    }
  }
  CHECK(hosts.size() == 24);
}

TEST_CASE("a_pod_whose_workload_was_never_seen_is_placed_by_its_own_annotations") {
  Desk desk;
  std::set<std::string> racks;
  for (int index = 4; index < 8; ++index) {
    Document pod = pytorch_pod(rack_job("unseen", 16, 4, 1), "worker", index);
    const Response response = desk.create(Hook::kPods, pod);
    CHECK(response.annotation("toposeg.io/segment") == "1");
    racks.insert(rack_of(response));
  }
  CHECK(racks.size() == 1);
  CHECK_FALSE(racks.contains(""));
}

// Every rack of three hosts has two in service.
kube::Cluster crowded_cluster() {
  kube::Cluster cluster = testing::small_cluster();
  for (kube::Node& node : cluster.nodes) node.unschedulable = node.name.ends_with("-3");
  return cluster;
}

config::Config when(config::WhenUnfit when_unfit) {
  config::Config config = config::defaults();
  config.pods.when_unfit = when_unfit;
  return config;
}

TEST_CASE("a_pod_without_room_is_gated_with_its_reason") {
  Desk desk(when(config::WhenUnfit::kGate), crowded_cluster());
  const Response job = desk.create(Hook::kWorkloads, rack_job("job", 6, 3, 8));
  CHECK(job.allowed);
  CHECK(job.warns("rack"));
  const Response pod = desk.create(Hook::kPods, pytorch_pod(job.object, "worker", 4));
  CHECK(pod.allowed);
  CHECK(pod.object["spec"]["schedulingGates"] == Document::parse(R"([{"name":"toposeg.io/waiting"}])"));
  CHECK(pod.annotation("toposeg.io/reason").find("rack") != std::string::npos);
  CHECK(pod.annotation("toposeg.io/segment") == "1");
  CHECK(pod.annotation("toposeg.io/nominal-host").empty());
  CHECK_FALSE(pod.warnings.empty());
}

TEST_CASE("a_pod_without_room_is_refused_where_the_configuration_says_so") {
  Desk desk(when(config::WhenUnfit::kRefuse), crowded_cluster());
  const Response job = desk.create(Hook::kWorkloads, rack_job("job", 6, 3, 8));
  CHECK(job.allowed);
  const Response pod = desk.create(Hook::kPods, pytorch_pod(job.object, "worker", 4));
  CHECK_FALSE(pod.allowed);
  CHECK(pod.status["code"] == 403);
  CHECK(pod.status["message"].get<std::string>().find("rack") != std::string::npos);
}

TEST_CASE("a_pod_without_room_has_no_gate_where_the_configuration_says_pin") {
  Desk desk(when(config::WhenUnfit::kPin), crowded_cluster());
  const Response job = desk.create(Hook::kWorkloads, rack_job("job", 6, 3, 8));
  const Response pod = desk.create(Hook::kPods, pytorch_pod(job.object, "worker", 4));
  CHECK(pod.allowed);
  CHECK_FALSE(pod.object["spec"].contains("schedulingGates"));
  CHECK_FALSE(pod.annotation("toposeg.io/reason").empty());
}

TEST_CASE("a_users_own_affinity_restricts_the_plan_and_stays") {
  Desk desk;
  Document job = rack_job("job", 6, 3, 8);
  job["spec"]["pytorchReplicaSpecs"]["Worker"]["template"]["spec"]["affinity"] = Document::parse(
      R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[
         {"key":"topology.kubernetes.io/zone","operator":"In","values":["zone-2"]}]}]}}})");
  const Response created = desk.create(Hook::kWorkloads, job);
  const Response pod = desk.create(Hook::kPods, pytorch_pod(created.object, "worker", 0));
  CHECK(rack_of(pod).find("rack-2") == 0);
  const Document& terms = pod.object["spec"]["affinity"]["nodeAffinity"]
                                    ["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"];
  CHECK(terms.size() == 1);
  CHECK(terms[0]["matchExpressions"][0]["values"] == Document::array({"zone-2"}));
}

TEST_CASE("a_users_affinity_that_no_node_meets_leaves_the_pod_waiting_with_that_reason") {
  Desk desk;
  Document job = rack_job("job", 6, 3, 8);
  job["spec"]["pytorchReplicaSpecs"]["Worker"]["template"]["spec"]["nodeSelector"] = {{"type", "other"}};
  const Response created = desk.create(Hook::kWorkloads, job);
  CHECK(created.allowed);
  CHECK(created.warns("nodeSelector"));
  const Response pod = desk.create(Hook::kPods, pytorch_pod(created.object, "worker", 0));
  CHECK(pod.annotation("toposeg.io/reason").find("nodeSelector") != std::string::npos);
  CHECK(pod.object["spec"]["nodeSelector"] == Document{{"type", "other"}});
}

TEST_CASE("variables_are_injected_on_request_only") {
  Desk desk;
  Document job = rack_job("job", 6, 3, 1);
  job["spec"]["pytorchReplicaSpecs"]["Worker"]["template"]["metadata"]["annotations"]
     ["toposeg.io/inject-env"] = "true";
  const Response created = desk.create(Hook::kWorkloads, job);
  const Response pod = desk.create(Hook::kPods, pytorch_pod(created.object, "worker", 4));
  CHECK(pod.object["spec"]["containers"][0]["env"] == Document::parse(R"([
      {"name":"TOPOSEG_SEGMENT","value":"1"},{"name":"TOPOSEG_SEGMENT_RANK","value":"1"},
      {"name":"TOPOSEG_SEGMENT_SIZE","value":"3"},{"name":"TOPOSEG_SEGMENTS","value":"2"}])"));
  const Response plain = desk.create(Hook::kWorkloads, rack_job("plain", 6, 3, 1));
  CHECK_FALSE(desk.create(Hook::kPods, pytorch_pod(plain.object, "worker", 4))
                  .object["spec"]["containers"][0]
                  .contains("env"));
}

TEST_CASE("a_segment_size_without_a_level_only_numbers_the_pods") {
  Desk desk;
  Document job = rack_job("job", 6, 3, 1);
  job["spec"]["pytorchReplicaSpecs"]["Worker"]["template"]["metadata"]["annotations"].erase(
      "kai.scheduler/segment-topology-required-placement");
  const Response created = desk.create(Hook::kWorkloads, job);
  CHECK(created.allowed);
  CHECK_FALSE(created.warnings.empty());
  const Response pod = desk.create(Hook::kPods, pytorch_pod(created.object, "worker", 4));
  CHECK(pod.annotation("toposeg.io/segment") == "1");
  CHECK_FALSE(pod.object["spec"].contains("affinity"));
}

TEST_CASE("pods_that_are_not_ours_are_counted_by_reason_and_left_alone") {
  Desk desk;
  const Response job = desk.create(Hook::kWorkloads, rack_job("job", 6, 3, 1));
  Document pod = pytorch_pod(job.object, "worker", 1);
  pod["spec"]["schedulerName"] = "kai-scheduler";
  CHECK(desk.review(Hook::kPods, review_of(pod)).patch.empty());
  pod["spec"]["schedulerName"] = "default-scheduler";
  pod["spec"]["nodeName"] = "node-111-1";
  CHECK(desk.review(Hook::kPods, review_of(pod)).patch.empty());
  const std::string metrics = desk.metrics_text();
  CHECK(metrics.find("toposeg_pods_left_alone_total{reason=\"scheduler_name\"} 1") != std::string::npos);
  CHECK(metrics.find("toposeg_pods_left_alone_total{reason=\"node_name\"} 1") != std::string::npos);
  CHECK(metrics.find("outcome=\"left_alone\"") != std::string::npos);
}

TEST_CASE("a_stray_segment_annotation_on_a_pod_of_nobody_is_warned_about") {
  Desk desk;
  const Response response = desk.review(Hook::kPods, testing::recorded("pod-kubectl-run-dry-run-server"));
  CHECK(response.allowed);
  CHECK(response.patch.empty());
  CHECK(response.warns("kai.scheduler/segment-size"));
  CHECK(desk.review(Hook::kPods, testing::recorded("pod-kubectl-run")).warnings.empty());
}

TEST_CASE("a_dry_run_of_a_pod_reserves_nothing") {
  Desk desk;
  Document review = review_of(pytorch_pod(rack_job("unseen", 16, 4, 1), "worker", 5));
  review["request"]["dryRun"] = true;
  CHECK_FALSE(desk.review_twice(Hook::kPods, review).patch.empty());
  CHECK(desk.engine.ledger().empty());
}

TEST_CASE("pods_come_without_annotations_with_null_affinity_and_with_long_names") {
  Desk desk;
  const Response lws = desk.create(
      Hook::kWorkloads, recorded_object("lws-leaderworker-create-kubectl-create-before-lws-webhook"));
  Document pod = lws_pod(lws.object, 0, 2);
  pod["spec"]["affinity"] = nullptr;
  pod["metadata"]["annotations"]["tilde~and/slash"] = "kept";
  const Response response = desk.create(Hook::kPods, pod);
  CHECK_FALSE(rack_of(response).empty());
  CHECK(response.annotation("tilde~and/slash") == "kept");
  const std::string name(253, 'a');
  const Response job = desk.create(Hook::kWorkloads, rack_job(name, 6, 3, 1));
  CHECK(job.allowed);
  CHECK_FALSE(rack_of(desk.create(Hook::kPods, pytorch_pod(job.object, "worker", 0))).empty());
}

}  // namespace
}  // namespace toposeg::webhook
