#include <set>

#include "unit/webhook/admission/operators.h"
#include "webhook/admission/plan_annotation.h"

namespace toposeg::webhook {
namespace {

using engine::SegmentStatus;
using testing::Desk;
using testing::Document;
using testing::rack_job;
using testing::recorded;
using testing::recorded_object;
using testing::Response;
using testing::review_of;

Document& worker_annotations(Document& job) {
  return job["spec"]["pytorchReplicaSpecs"]["Worker"]["template"]["metadata"]["annotations"];
}

std::set<std::string> paths_of(const Document& patch) {
  std::set<std::string> result;
  for (const Document& operation : patch) result.insert(operation["path"].get<std::string>());
  return result;
}

TEST_CASE("the_pages_job_gets_a_plan_of_four_segments_each_in_one_rack") {
  Desk desk;
  const Response response =
      desk.create(Hook::kWorkloads, recorded_object("pytorchjob-create-kubectl-create"));
  REQUIRE(response.allowed);
  const PlanSummary plan = parse_plan_annotation(response.annotation("toposeg.io/plan")).value();
  REQUIRE(plan.groups.size() == 1);
  REQUIRE(plan.groups[0].segments.size() == 4);
  for (const SegmentSummary& segment : plan.groups[0].segments) {
    CHECK(segment.status == SegmentStatus::kPlaced);
    CHECK(segment.domain.size() >= 3);
  }
  const Document& metadata = response.object["spec"]["pytorchReplicaSpecs"]["Worker"]["template"]["metadata"];
  CHECK(metadata["labels"]["toposeg.io/managed"] == "true");
  CHECK(response.audit["decision"].get<std::string>().size() == 16);
}

TEST_CASE("the_topology_of_the_root_is_written_on_the_template_too") {
  Desk desk;
  const Response response =
      desk.create(Hook::kWorkloads, recorded_object("pytorchjob-root-annotations-create-field-manager"));
  const Document& specs = response.object["spec"]["pytorchReplicaSpecs"];
  CHECK(specs["Worker"]["template"]["metadata"]["annotations"]["kai.scheduler/topology"] ==
        "cluster-topology");
  CHECK(specs["Master"]["template"]["metadata"]["labels"]["toposeg.io/managed"] == "true");
}

TEST_CASE("a_segment_larger_than_the_job_is_denied_with_field_value_and_bound") {
  Desk desk;
  Document job = rack_job("big", 16, 20, 1);
  const Response response = desk.create(Hook::kWorkloads, job);
  CHECK_FALSE(response.allowed);
  CHECK(response.status["code"] == 422);
  CHECK(response.status["reason"] == "Invalid");
  const std::string message = response.status["message"].get<std::string>();
  CHECK(message.find("20") != std::string::npos);
  CHECK(message.find("16") != std::string::npos);
  const std::string field = response.status["details"]["causes"][0]["field"].get<std::string>();
  CHECK(field.find("spec.pytorchReplicaSpecs.Worker.template.metadata.annotations") == 0);
  CHECK(desk.engine.ledger().empty());
}

TEST_CASE("an_unquoted_segment_size_is_denied_with_the_quoted_form") {
  Desk desk;
  const Response response = desk.review(Hook::kWorkloads, recorded("pytorchjob-create-integer-annotation"));
  CHECK_FALSE(response.allowed);
  CHECK(response.status["message"].get<std::string>().find("\"4\"") != std::string::npos);
}

TEST_CASE("ten_thousand_and_one_segments_are_denied_and_ten_thousand_are_not") {
  Desk desk;
  Document job = rack_job("many", 20'002, 2, 0);
  worker_annotations(job).erase("kai.scheduler/segment-topology-required-placement");
  worker_annotations(job)["kai.scheduler/segment-topology-preferred-placement"] =
      "cloud.provider.com/topology-rack";
  const Response denied = desk.create(Hook::kWorkloads, job);
  CHECK_FALSE(denied.allowed);
  CHECK(denied.status["message"].get<std::string>().find("10001") != std::string::npos);
  job["spec"]["pytorchReplicaSpecs"]["Worker"]["replicas"] = 20'000;
  CHECK(desk.review(Hook::kWorkloads, review_of(job)).allowed);
}

TEST_CASE("two_jobs_never_get_the_same_space_and_a_third_hears_why_it_waits") {
  Desk desk;
  CHECK(desk.create(Hook::kWorkloads, rack_job("first", 12, 3, 8)).warnings.empty());
  CHECK(desk.create(Hook::kWorkloads, rack_job("second", 9, 3, 8)).warnings.empty());
  std::set<std::string> hosts;
  std::size_t workers = 0;
  for (const engine::LedgerRow& row : desk.engine.ledger()) {
    if (row.role == workload::Role::kMaster) continue;
    hosts.insert(row.host);
    ++workers;
  }
  CHECK(workers == 21);
  CHECK(hosts.size() == 21);
  const Response third = desk.create(Hook::kWorkloads, rack_job("third", 6, 3, 8));
  CHECK(third.allowed);
  CHECK(third.warns("segment 1"));
  CHECK(third.warns("rack"));
}

TEST_CASE("a_dry_run_reserves_nothing_and_says_the_same") {
  Desk desk;
  Document dry = review_of(rack_job("first", 12, 3, 8));
  dry["request"]["dryRun"] = true;
  const Response tried = desk.review_twice(Hook::kWorkloads, dry);
  CHECK(desk.engine.ledger().empty());
  CHECK_FALSE(desk.engine.known({"kubeflow.org", "PyTorchJob", "ml-team", "first", ""}).has_value());
  const Response real = desk.create(Hook::kWorkloads, rack_job("first", 12, 3, 8));
  CHECK(tried.patch == real.patch);
}

TEST_CASE("a_suspended_job_is_planned_without_a_reservation_and_reserved_when_it_resumes") {
  Desk desk;
  Document job = rack_job("later", 12, 3, 8);
  job["spec"]["runPolicy"]["suspend"] = true;
  const Response created = desk.create(Hook::kWorkloads, job);
  CHECK_FALSE(created.annotation("toposeg.io/plan").empty());
  CHECK(desk.engine.ledger().empty());
  Document resumed = created.object;
  resumed["spec"]["runPolicy"]["suspend"] = false;
  CHECK(desk.review(Hook::kWorkloads, review_of(resumed, created.object)).allowed);
  CHECK(desk.engine.ledger().size() == 13);
}

TEST_CASE("a_job_that_is_suspended_gives_its_space_back_and_keeps_its_object") {
  Desk desk;
  const Response created = desk.create(Hook::kWorkloads, rack_job("job", 12, 3, 8));
  REQUIRE_FALSE(desk.engine.ledger().empty());
  Document suspended = created.object;
  suspended["spec"]["runPolicy"]["suspend"] = true;
  const Response response = desk.review(Hook::kWorkloads, review_of(suspended, created.object));
  CHECK(response.allowed);
  CHECK(response.patch.empty());
  CHECK(desk.engine.ledger().empty());
}

TEST_CASE("an_update_that_changes_the_size_plans_anew") {
  Desk desk;
  const Response created = desk.create(Hook::kWorkloads, rack_job("job", 12, 3, 8));
  Document changed = created.object;
  worker_annotations(changed)["kai.scheduler/segment-size"] = "2";
  const Response updated = desk.review_twice(Hook::kWorkloads, review_of(changed, created.object));
  CHECK(updated.allowed);
  CHECK(parse_plan_annotation(updated.annotation("toposeg.io/plan")).value().groups[0].segments.size() == 6);
}

TEST_CASE("an_update_that_changes_nothing_of_ours_is_not_touched") {
  Desk desk;
  const Response created = desk.create(Hook::kWorkloads, rack_job("job", 12, 3, 8));
  const auto before = desk.engine.ledger().size();
  Document changed = created.object;
  changed["metadata"]["annotations"]["note"] = "hello";
  const Response updated = desk.review(Hook::kWorkloads, review_of(changed, created.object));
  CHECK(updated.allowed);
  CHECK(updated.patch.empty());
  CHECK(updated.warnings.empty());
  CHECK(desk.engine.ledger().size() == before);
}

TEST_CASE("an_update_with_an_old_fault_passes_as_long_as_the_fault_is_not_new") {
  Desk desk;
  const Document faulty = rack_job("old", 4, 20, 1);
  Document changed = faulty;
  changed["metadata"]["annotations"]["note"] = "hello";
  CHECK(desk.review(Hook::kWorkloads, review_of(changed, faulty)).allowed);
  CHECK_FALSE(desk.review(Hook::kWorkloads, review_of(faulty, rack_job("old", 4, 2, 1))).allowed);
}

TEST_CASE("a_workload_on_its_way_out_passes_whatever_it_holds") {
  Desk desk;
  Document going = rack_job("gone", 4, 20, 1);
  going["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  const Response response = desk.review(Hook::kWorkloads, review_of(going, rack_job("gone", 4, 2, 1)));
  CHECK(response.allowed);
  CHECK(response.patch.empty());
}

TEST_CASE("a_running_leader_worker_set_keeps_its_template_on_an_update_of_its_metadata") {
  Desk desk;
  const Document old = recorded_object("lws-leaderworker-create-kubectl-create-before-lws-webhook");
  Document changed = old;
  changed["metadata"]["annotations"]["kai.scheduler/topology-required-placement"] =
      "topology.kubernetes.io/zone";
  const Response response = desk.review(Hook::kWorkloads, review_of(changed, old));
  CHECK(response.allowed);
  for (const std::string& path : paths_of(response.patch)) CHECK(path.find("/metadata") == 0);
  CHECK(response.object["spec"] == old["spec"]);
  CHECK(response.warns("templates are left as they are"));
}

TEST_CASE("an_update_that_drops_our_keys_with_its_template_gets_them_back") {
  Desk desk;
  const Document bare = recorded_object("lws-leaderworker-create-kubectl-create-before-lws-webhook");
  const Response created = desk.create(Hook::kWorkloads, bare);
  const Response replaced = desk.review(Hook::kWorkloads, review_of(bare, created.object));
  CHECK(replaced.object["spec"] == created.object["spec"]);
}

TEST_CASE("an_update_that_takes_the_levels_away_frees_the_space") {
  Desk desk;
  const Response created = desk.create(Hook::kWorkloads, rack_job("job", 12, 3, 8));
  REQUIRE_FALSE(desk.engine.ledger().empty());
  Document changed = created.object;
  worker_annotations(changed).erase("kai.scheduler/segment-topology-required-placement");
  const Response updated = desk.review(Hook::kWorkloads, review_of(changed, created.object));
  CHECK(updated.allowed);
  CHECK(desk.engine.ledger().empty());
  CHECK(updated.annotation("toposeg.io/plan").empty());
}

TEST_CASE("a_kind_that_is_not_ours_passes_untouched_on_every_path") {
  Desk desk;
  const Document deployment =
      Document::parse(R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"x",
      "annotations":{"kai.scheduler/segment-size":"x"}},"spec":{}})");
  for (const Hook hook : {Hook::kWorkloads, Hook::kPods, Hook::kTopologies}) {
    const Response response = desk.create(hook, deployment);
    CHECK(response.allowed);
    CHECK(response.patch.empty());
  }
}

TEST_CASE("other_operations_and_missing_objects_pass_untouched") {
  Desk desk;
  for (const char* operation : {"DELETE", "CONNECT", ""}) {
    Document review = review_of(rack_job("job", 4, 20, 1));
    review["request"]["operation"] = operation;
    CHECK(desk.review(Hook::kWorkloads, review).allowed);
  }
  Document review = review_of(rack_job("job", 4, 20, 1));
  review["request"]["object"] = nullptr;
  for (const Hook hook : {Hook::kWorkloads, Hook::kPods, Hook::kTopologies}) {
    const ReviewAnswer answer = desk.reviewer.review(hook, review.dump(), std::chrono::seconds(1));
    CHECK(Document::parse(answer.body)["response"]["allowed"] == true);
  }
}

TEST_CASE("a_job_whose_name_is_generated_later_reserves_nothing") {
  Desk desk;
  Document job = rack_job("x", 12, 3, 8);
  job["metadata"].erase("name");
  job["metadata"]["generateName"] = "x-";
  CHECK(desk.create(Hook::kWorkloads, job).allowed);
  CHECK(desk.engine.ledger().empty());
}

}  // namespace
}  // namespace toposeg::webhook
