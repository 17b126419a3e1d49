// Pods: whose they are, and what they tell on their own. The recorded reviews are what an API server sent.
#include <fstream>

#include "unit/catch.h"
#include "unit/common/workload/bench_of_manifests.h"

namespace toposeg::workload::testing {
namespace {

using Catch::Matchers::Contains;
constexpr const char* kRequired = "kai.scheduler/segment-topology-required-placement";

Document recorded(const std::string& name) {
  std::ifstream file(std::string(TOPOSEG_SOURCE_DIR) + "/tests/data/reviews/" + name + ".json");
  REQUIRE(file);
  return Document::parse(file)["request"]["object"];
}

TEST_CASE("recorded_pods_are_recognised_before_and_after_the_operators_webhook") {
  struct Row {
    const char* file;
    const char* kind;
    const char* name;
    int group;
    Role role;
    int index;
  };
  const Row rows[] = {
      {"pod-pytorch-master-0", "PyTorchJob", "pytorch-tp4", 0, Role::kMaster, 0},
      {"pod-pytorch-worker-0", "PyTorchJob", "pytorch-tp4", 0, Role::kWorker, 0},
      {"pod-pytorch-worker-15", "PyTorchJob", "pytorch-tp4", 0, Role::kWorker, 15},
      {"pod-pytorch-affinity-worker-0", "PyTorchJob", "pytorch-affinity", 0, Role::kWorker, 0},
      {"pod-lws-leader-0-before-lws-webhook", "LeaderWorkerSet", "lws-segmented", 0, Role::kLeader, 0},
      {"pod-lws-leader-0-after-lws-webhook", "LeaderWorkerSet", "lws-segmented", 0, Role::kLeader, 0},
      {"pod-lws-0-2-before-lws-webhook", "LeaderWorkerSet", "lws-segmented", 0, Role::kWorker, 2},
      {"pod-lws-0-2-after-lws-webhook", "LeaderWorkerSet", "lws-segmented", 0, Role::kWorker, 2},
      {"pod-lws-leader-ready-leader-1-after-lws-webhook", "LeaderWorkerSet", "lws-leader-ready", 1,
       Role::kLeader, 0},
      {"pod-lws-leader-ready-1-3-after-lws-webhook", "LeaderWorkerSet", "lws-leader-ready", 1, Role::kWorker,
       3},
      {"pod-lws-surge-3-1-after-lws-webhook", "LeaderWorkerSet", "lws-surge", 3, Role::kWorker, 1},
  };
  for (const Row& row : rows) {
    CAPTURE(row.file);
    const auto member = member_of(recorded(row.file), "ml-team");
    REQUIRE(member);
    CHECK(member->workload.kind == row.kind);
    CHECK(member->workload.name == row.name);
    CHECK(member->workload.namespace_ == "ml-team");
    CHECK(member->workload.uid.empty() == (std::string(row.kind) != "PyTorchJob"));
    CHECK(member->group == row.group);
    CHECK(member->role == row.role);
    CHECK(member->index == row.index);
  }
}

TEST_CASE("pods_of_nothing_we_know_are_nobodys") {
  for (const char* file :
       {"pod-deployment-generate-name", "pod-kubectl-run", "pod-kubectl-run-dry-run-server"}) {
    CHECK_FALSE(member_of(recorded(file), "ml-team"));
  }
  Document foreign = recorded("pod-pytorch-worker-3");
  foreign["metadata"]["ownerReferences"][0]["kind"] = "TFJob";
  CHECK_FALSE(member_of(foreign, "ml-team"));
  Document odd = recorded("pod-pytorch-worker-3");
  odd["metadata"]["labels"]["training.kubeflow.org/replica-index"] = "three";
  CHECK_FALSE(member_of(odd, "ml-team"));
  Document unnamed = recorded("pod-lws-0-2-before-lws-webhook");
  unnamed["metadata"]["name"] = "another-0-2";
  unnamed["metadata"]["labels"].erase("leaderworkerset.sigs.k8s.io/group-index");
  CHECK_FALSE(member_of(unnamed, "ml-team"));
}

TEST_CASE("a_group_and_index_come_from_the_name_where_labels_are_missing") {
  Document pod = recorded("pod-lws-0-2-before-lws-webhook");
  pod["metadata"]["labels"].erase("leaderworkerset.sigs.k8s.io/group-index");
  pod["metadata"]["name"] = "lws-segmented-12-7";
  const auto member = member_of(pod, "ml-team");
  REQUIRE(member);
  CHECK(member->group == 12);
  CHECK(member->index == 7);
}

Normalised alone(const Document& pod) {
  const Setting setting;
  const auto member = member_of(pod, "ml-team");
  REQUIRE(member);
  return normalise_pod(pod, *member, {setting.topologies, setting.config, {}});
}

TEST_CASE("a_pod_alone_tells_its_segment_and_level") {
  const Normalised worker = alone(recorded("pod-pytorch-worker-4"));
  CHECK(worker.workload.segments == Segments{5, 4, SegmentRule::kPlain});
  CHECK(worker.workload.segment.required == kRack);
  CHECK(worker.workload.topology == "cluster-topology");
  const Normalised set = alone(recorded("pod-lws-0-3-after-lws-webhook"));
  CHECK(set.workload.segments == Segments{5, 2, SegmentRule::kLeaderExtra});
  CHECK(set.workload.constrained());
  const Normalised excluded = alone(recorded("pod-lws-excluded-0-4-after-lws-webhook"));
  CHECK(excluded.workload.segments == Segments{5, 2, SegmentRule::kLeaderExcluded});
  CHECK(excluded.workload.extra == ExtraRole::kLeaderApart);
}

TEST_CASE("a_pod_without_our_keys_tells_nothing_to_decide") {
  CHECK_FALSE(alone(recorded("pod-pytorch-master-0")).workload.constrained());
  CHECK_FALSE(alone(recorded("pod-lws-leader-0-after-lws-webhook")).workload.constrained());
}

TEST_CASE("a_pod_whose_topology_stood_on_the_root_takes_the_only_one") {
  CHECK(alone(recorded("pod-pytorch-root-annotations-worker-3")).workload.topology == "cluster-topology");
}

TEST_CASE("a_bad_size_on_a_pod_is_a_fault") {
  Document pod = recorded("pod-pytorch-worker-4");
  pod["metadata"]["annotations"]["kai.scheduler/segment-size"] = "four";
  CHECK_THAT(texts(alone(pod).causes),
             Contains("metadata.annotations[kai.scheduler/segment-size]: segment-size \"four\""));
}

Setting two_level_cluster() {
  Setting setting;
  setting.topologies[0].levels.insert(setting.topologies[0].levels.begin() + 1,
                                      {"cloud.provider.com/topology-block", ""});
  return setting;
}

TEST_CASE("recorded_workloads_mean_what_their_manifests_say") {
  struct Row {
    const char* file;
    Segments segments;
    int groups;
    ExtraRole extra;
    bool suspended;
  };
  const Segments by_four{16, 4, SegmentRule::kPlain};
  const Row rows[] = {
      {"pytorchjob-create-kubectl-create", by_four, 1, ExtraRole::kMaster, false},
      {"pytorchjob-create-kubectl-apply-server-side", by_four, 1, ExtraRole::kMaster, false},
      {"pytorchjob-create-service-account-generate-name", by_four, 1, ExtraRole::kMaster, false},
      {"pytorchjob-root-annotations-create-field-manager", by_four, 1, ExtraRole::kMaster, false},
      {"pytorchjob-affinity-create-kubectl-create", {4, 2, SegmentRule::kPlain}, 1, ExtraRole::kNone, false},
      {"pytorchjob-update-kubectl-patch-suspend", {16, 8, SegmentRule::kPlain}, 1, ExtraRole::kMaster, true},
      {"lws-leaderworker-create-kubectl-create-before-lws-webhook",
       {5, 2, SegmentRule::kLeaderExtra},
       1,
       ExtraRole::kLeaderInFirst,
       false},
      {"lws-leaderexcluded-create-kubectl-apply",
       {5, 2, SegmentRule::kLeaderExcluded},
       1,
       ExtraRole::kLeaderApart,
       false},
      {"lws-leaderready-create-kubectl-apply-server-side",
       {4, 2, SegmentRule::kPlain},
       2,
       ExtraRole::kLeaderInFirst,
       false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.file);
    const Normalised result = two_level_cluster().read(recorded(row.file));
    CHECK(texts(result.causes).empty());
    CHECK(lines(result.warnings).empty());
    CHECK(result.relevant);
    CHECK(result.workload.constrained());
    CHECK(result.workload.segments.pods == row.segments.pods);
    CHECK(result.workload.segments.size == row.segments.size);
    CHECK(result.workload.segments.rule == row.segments.rule);
    CHECK(result.workload.groups == row.groups);
    CHECK(result.workload.extra == row.extra);
    CHECK(result.workload.suspended == row.suspended);
    const Document object = recorded(row.file);
    CHECK(two_level_cluster().read(with_additions(object, result.additions)).additions.empty());
  }
}

TEST_CASE("the_root_annotations_hold_for_the_whole_job_and_the_template_inherits_the_topology") {
  const Normalised result = Setting{}.read(recorded("pytorchjob-root-annotations-create-field-manager"));
  CHECK(result.workload.whole.required == kZone);
  CHECK_THAT(fields(result.additions), Contains("kai.scheduler/topology\"] = \"cluster-topology\""));
}

TEST_CASE("an_unquoted_size_as_the_server_sends_it_is_refused_with_the_quoted_form") {
  const Normalised result = Setting{}.read(recorded("pytorchjob-create-integer-annotation"));
  REQUIRE(result.causes.size() == 1);
  CHECK_THAT(result.causes[0].message, Contains("the number 4") && Contains("\"4\""));
}

TEST_CASE("a_leader_made_from_the_worker_template_is_told_by_its_index") {
  const Normalised leader = alone(recorded("pod-lws-leader-ready-leader-1-after-lws-webhook"));
  CHECK(leader.workload.segments.of(0) == 0);
  CHECK(leader.workload.groups == 2);
  Document set = leaderworkerset(5, {{"subGroupSize", 2}, {"subGroupPolicyType", "LeaderExcluded"}},
                                 {{kRequired, kRack}});
  set["spec"]["leaderWorkerTemplate"].erase("leaderTemplate");
  const Normalised result = Setting{}.read(set);
  CHECK(result.workload.extra == ExtraRole::kLeaderApart);
  CHECK_FALSE(result.workload.extra_spec);
  CHECK_FALSE(result.workload.segments.of(0));
}

}  // namespace
}  // namespace toposeg::workload::testing
