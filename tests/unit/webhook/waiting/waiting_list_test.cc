#include "webhook/waiting/waiting_list.h"

#include "unit/catch.h"

namespace toposeg::webhook {
namespace {

kube::Pod gated(const std::string& job, int index, std::int64_t created) {
  kube::Pod pod;
  pod.namespace_ = "ml-team";
  pod.name = job + "-worker-" + std::to_string(index);
  pod.uid = pod.name + "-uid";
  pod.created = created;
  pod.gates = {"toposeg.io/waiting"};
  kube::OwnerReference owner;
  owner.api_version = "kubeflow.org/v1";
  owner.kind = "PyTorchJob";
  owner.name = job;
  owner.uid = job + "-uid";
  owner.controller = true;
  pod.owners = {owner};
  kube::put<std::string>(pod.labels, "training.kubeflow.org/job-name", job);
  kube::put<std::string>(pod.labels, "training.kubeflow.org/replica-type", "worker");
  kube::put<std::string>(pod.labels, "training.kubeflow.org/replica-index", std::to_string(index));
  return pod;
}

std::vector<std::string> names(const WaitingList& list) {
  std::vector<std::string> names;
  for (const auto& pods : list.by_age()) {
    for (const WaitingPod& pod : pods) names.push_back(pod.name);
  }
  return names;
}

TEST_CASE("workloads_come_by_their_longest_waiting_pod_and_pods_by_index") {
  WaitingList list;
  list.upsert(gated("late", 0, 200));
  list.upsert(gated("early", 10, 150));
  list.upsert(gated("early", 2, 100));
  CHECK(names(list) == std::vector<std::string>{"early-worker-2", "early-worker-10", "late-worker-0"});
}

TEST_CASE("of_workloads_of_one_second_the_one_that_arrived_first_comes_first") {
  WaitingList list;
  list.upsert(gated("second", 0, 100));
  list.upsert(gated("first", 0, 100));
  CHECK(names(list) == std::vector<std::string>{"second-worker-0", "first-worker-0"});
}

TEST_CASE("segment_and_reason_are_those_that_stand_on_the_pod_now") {
  WaitingList list;
  kube::Pod pod = gated("job", 0, 100);
  CHECK(list.upsert(pod));
  CHECK(list.by_age()[0][0].reason.empty());
  kube::put<std::string>(pod.annotations, "toposeg.io/segment", "3");
  kube::put<std::string>(pod.annotations, "toposeg.io/reason", "no room");
  CHECK_FALSE(list.upsert(pod));  // no pod more or less
  CHECK(list.by_age()[0][0].segment == "3");
  CHECK(list.by_age()[0][0].reason == "no room");
  list.wrote_reason(list.by_age()[0][0], "still none");
  CHECK(list.by_age()[0][0].reason == "still none");
}

TEST_CASE("a_pod_is_dropped_and_told_of_only_while_it_is_the_same") {
  WaitingList list;
  list.upsert(gated("job", 0, 100));
  const WaitingPod before = list.by_age()[0][0];
  kube::Pod again = gated("job", 0, 200);
  again.uid = "another";
  list.upsert(again);
  list.wrote_reason(before, "of the one before");
  CHECK(list.by_age()[0][0].reason.empty());
  list.drop(before);
  CHECK(list.size() == 1);
  list.drop(list.by_age()[0][0]);
  CHECK(list.empty());
}

TEST_CASE("a_pod_leaves_the_list_when_its_gate_opens_or_it_ends_or_is_being_deleted_or_gone") {
  WaitingList list;
  const kube::Pod pod = gated("job", 0, 100);
  kube::Pod open = pod;
  open.gates.clear();
  kube::Pod ended = pod;
  ended.phase = kube::PodPhase::kFailed;
  kube::Pod terminating = pod;
  terminating.terminating = true;
  for (const kube::Pod& after : {open, ended, terminating}) {
    CHECK(list.upsert(pod));
    CHECK(list.holds("ml-team", pod.name));
    CHECK_FALSE(list.upsert(pod));  // nothing new
    CHECK(list.upsert(after));
    CHECK_FALSE(list.holds("ml-team", pod.name));
    CHECK(list.empty());
  }
  list.upsert(pod);
  CHECK(list.remove("ml-team", pod.name));
  CHECK_FALSE(list.remove("ml-team", pod.name));
}

TEST_CASE("pods_that_another_gate_holds_and_pods_of_no_workload_do_not_wait_for_us") {
  WaitingList list;
  kube::Pod foreign = gated("job", 0, 100);
  foreign.gates = {"example.com/quota"};
  kube::Pod lonely = gated("job", 1, 100);
  lonely.owners.clear();
  lonely.labels.clear();
  CHECK_FALSE(list.upsert(foreign));
  CHECK_FALSE(list.upsert(lonely));
  CHECK(list.empty());
}

TEST_CASE("a_pod_that_is_made_again_under_its_name_waits_anew") {
  WaitingList list;
  list.upsert(gated("job", 0, 100));
  kube::Pod again = gated("job", 0, 300);
  again.uid = "another";
  CHECK(list.upsert(again));
  CHECK(list.by_age().at(0).at(0).created == 300);
  CHECK(list.size() == 1);
}

}  // namespace
}  // namespace toposeg::webhook
