#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "program.h"
#include "unit/catch.h"

namespace toposeg::cli {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;

constexpr const char* kRunningFile = TOPOSEG_SOURCE_DIR "/examples/running.yaml";

// Two zones; rack r1 stands in zone a and in zone b, as two racks of one name; zone a has a rack r2 too.
constexpr const char* kCluster = R"(apiVersion: kai.scheduler/v1alpha1
kind: Topology
metadata: {name: fabric}
spec: {levels: [{nodeLabel: zone}, {nodeLabel: rack}]}
---
apiVersion: v1
kind: Node
metadata: {name: a1, labels: {zone: a, rack: r1}}
---
apiVersion: v1
kind: Node
metadata: {name: a2, labels: {zone: a, rack: r2}}
---
apiVersion: v1
kind: Node
metadata: {name: b1, labels: {zone: b, rack: r1}}
---
apiVersion: v1
kind: Node
metadata: {name: bare}
)";

std::string job(const std::string& name, int workers, const std::string& spec = "",
                const std::string& metadata = "") {
  return fmt::format(R"(---
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {{name: {}, namespace: team{}}}
spec:
  {}
  pytorchReplicaSpecs:
    Worker:
      replicas: {}
      template:
        metadata: {{annotations: {{kai.scheduler/topology: fabric, kai.scheduler/segment-size: "2",
          kai.scheduler/segment-topology-required-placement: rack}}}}
        spec: {{containers: [{{name: c}}]}}
)",
                     name, metadata, spec, workers);
}

// `spec` and `status` of the pod, and further members of its metadata.
std::string worker(const std::string& job, int index, const std::string& spec,
                   const std::string& status = "{phase: Running}", const std::string& metadata = "",
                   const std::string& suffix = "") {
  return fmt::format(R"(---
apiVersion: v1
kind: Pod
metadata:
  name: {0}-worker-{1}{5}
  namespace: team
  labels: {{training.kubeflow.org/job-name: {0}, training.kubeflow.org/replica-type: worker,
    training.kubeflow.org/replica-index: "{1}", training.kubeflow.org/operator-name: pytorchjob-controller}}
  {4}
spec: {{containers: [{{name: c}}]{2}}}
status: {3}
)",
                     job, index, spec, status, metadata, suffix);
}

std::string on(const std::string& node) { return ", nodeName: " + node; }

constexpr const char* kPending = "{phase: Pending}";
constexpr const char* kGate = ", schedulingGates: [{name: toposeg.io/waiting}]";

// The answer about `word` on kCluster and these objects.
Answer status(const std::string& objects, const std::string& word, std::vector<std::string> options = {}) {
  const Folder folder;
  std::vector<std::string> arguments{"status", word, "--cluster",
                                     folder.write("cluster.yaml", kCluster + objects)};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return toposeg(arguments);
}

json report(const std::string& objects, const std::string& word, std::vector<std::string> options = {}) {
  options.insert(options.end(), {"-o", "json"});
  const Answer answer = status(objects, word, options);
  INFO(answer.err);
  REQUIRE(answer.status < 2);
  return json::parse(answer.out);
}

json first_segment(const json& report) { return report["groups"][0]["segments"][0]; }

TEST_CASE("a job whose segments each share a rack is placed") {
  const std::string objects = job("train", 4) + worker("train", 0, on("a1")) + worker("train", 1, on("a1")) +
                              worker("train", 2, on("b1")) + worker("train", 3, on("b1"));
  const Answer answer = status(objects, "train");
  CHECK(answer.status == 0);
  CHECK(answer.err.empty());
  CHECK_THAT(answer.out, Contains("0      0        0-1   2/2    placed  rack   a/r1    a1:0-1\n") &&
                             Contains("0      1        2-3   2/2    placed  rack   b/r1    b1:2-3\n"));
  CHECK_THAT(answer.out,
             Contains("PyTorchJob team/train: 2 of 2 segments placed; 4 of 4 pods have a node\n"));
  CHECK(status(objects, "train", {"-o", "name"}).out == "pytorchjob.kubeflow.org/train\n");
}

TEST_CASE("two racks of one name in two zones are two racks") {
  const std::string objects = job("train", 2) + worker("train", 0, on("a1")) + worker("train", 1, on("b1"));
  const Answer answer = status(objects, "train");
  CHECK(answer.status == 1);
  CHECK_THAT(answer.out,
             Contains("apart") &&
                 Contains("segment 0: the required level rack does not hold: its pods share no domain"));
  CHECK(status(objects, "train", {"-o", "name"}).out.empty());
}

TEST_CASE("the level reached is the closest one that all pods share") {
  const std::string objects = job("train", 2) + worker("train", 0, on("a1")) + worker("train", 1, on("a2"));
  const json segment = first_segment(report(objects, "train"));
  CHECK(segment["level"] == "zone");
  CHECK(segment["domain"] == json::array({"a"}));
  CHECK(segment["status"] == "apart");
  CHECK_THAT(status(objects, "train").out, Contains("its pods share zone a only"));
}

TEST_CASE("what stands on the pods is not believed") {
  const std::string claim =
      R"(annotations: {toposeg.io/level: rack, toposeg.io/domain: '["a","r1"]', toposeg.io/segment: "0"})";
  const std::string objects = job("train", 2) + worker("train", 0, on("a1"), "{phase: Running}", claim) +
                              worker("train", 1, on("a2"), "{phase: Running}", claim);
  CHECK(first_segment(report(objects, "train"))["level"] == "zone");
}

TEST_CASE("a gated pod waits for the reason written on it") {
  const std::string reason = "annotations: {toposeg.io/reason: no rack can hold 2 pods}";
  const std::string objects = job("train", 2) + worker("train", 0, kGate, kPending, reason) +
                              worker("train", 1, kGate, kPending, reason);
  const Answer answer = status(objects, "train");
  CHECK(answer.status == 1);
  CHECK_THAT(answer.out, Contains("0/2    waiting  <none>  <none>  <none>\n") &&
                             Contains("  segment 0: no rack can hold 2 pods\n"));
  CHECK(first_segment(report(objects, "train"))["pods"][0]["state"] == "gated");
}

TEST_CASE("each thing that a pod waits for has its words") {
  const auto reason = [](const std::string& pods) {
    return first_segment(report(job("train", 2) + worker("train", 0, on("a1")) + pods, "train"))["reasons"];
  };
  CHECK(reason(worker("train", 1, kGate, kPending)) ==
        json::array({"pod 1: held by the scheduling gate toposeg.io/waiting"}));
  CHECK(reason(worker("train", 1, ", schedulingGates: [{name: other.io/x}]", kPending)) ==
        json::array({"pod 1: held by the scheduling gate other.io/x"}));
  CHECK(reason(worker("train", 1, "", kPending)) ==
        json::array({"pod 1: not scheduled yet; kubectl describe pod tells the scheduler's reason"}));
  CHECK(reason("") == json::array({"pod 1: there is no such pod yet"}));
  CHECK(reason(worker("train", 1, on("a1"), "{phase: Failed}")) ==
        json::array({"pod 1: train-worker-1 has failed"}));
  CHECK(reason(worker("train", 1, on("a1"), "{phase: Succeeded}")) == json::array());
}

TEST_CASE("a suspended job waits because it is suspended") {
  const Answer answer = status(job("train", 2, "runPolicy: {suspend: true}"), "train");
  CHECK(answer.status == 1);
  CHECK_THAT(answer.out, Contains("segment 0: the workload is suspended"));
}

TEST_CASE("where a pod was made again the living one counts") {
  const std::string dying = "deletionTimestamp: '2026-01-02T03:04:05Z'";
  const std::string objects = job("train", 2) + worker("train", 0, on("a1")) +
                              worker("train", 1, on("a1"), "{phase: Running}") +
                              worker("train", 1, on("b1"), "{phase: Running}", dying, "-old");
  CHECK(first_segment(report(objects, "train"))["pods"][1]["node"] == "a1");
}

TEST_CASE("pods beyond those asked for are shown as further segments and not waited for") {
  const std::string objects = job("train", 2) + worker("train", 0, on("a1")) + worker("train", 1, on("a1")) +
                              worker("train", 2, kGate, kPending);
  const json standing = report(objects, "train");
  CHECK(standing["placed"] == true);
  CHECK(standing["groups"][0]["segments"][1]["needed"] == false);
  CHECK(standing["groups"][0]["segments"][1]["status"] == "waiting");
}

TEST_CASE("a needed segment that waits is told by the exit status, an optional one is not") {
  const std::string some = worker("train", 0, on("a1")) + worker("train", 1, on("a1"));
  CHECK(status(job("train", 4, "elasticPolicy: {minReplicas: 2}") + some, "train").status == 0);
  CHECK(status(job("train", 4) + some, "train").status == 1);
}

TEST_CASE("a whole workload that is required to stay together is judged too") {
  const std::string whole = ", annotations: {kai.scheduler/topology-required-placement: zone}";
  const std::string objects = job("train", 4, "", whole) + worker("train", 0, on("a1")) +
                              worker("train", 1, on("a1")) + worker("train", 2, on("b1")) +
                              worker("train", 3, on("b1"));
  const Answer answer = status(objects, "train");
  CHECK(answer.status == 1);
  CHECK_THAT(answer.out, Contains("  the required level zone does not hold: all pods share no domain\n"));
}

TEST_CASE("nodes that are unknown or outside the topology are named") {
  const std::string objects =
      job("train", 2) + worker("train", 0, on("bare")) + worker("train", 1, on("gone"));
  CHECK_THAT(status(objects, "train").out,
             Contains("node \"bare\" has no label zone") &&
                 Contains("node \"gone\" is not among the nodes of the cluster"));
}

TEST_CASE("a set is shown group by group, its leader in the first segment") {
  const std::string set = R"(---
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: chat, namespace: team}
spec:
  replicas: 2
  leaderWorkerTemplate:
    size: 5
    subGroupPolicy: {subGroupSize: 2}
    workerTemplate: {spec: {containers: [{name: c}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: chat-1, namespace: team, labels: {leaderworkerset.sigs.k8s.io/name: chat,
  leaderworkerset.sigs.k8s.io/group-index: "1", leaderworkerset.sigs.k8s.io/worker-index: "0"}}
spec: {containers: [{name: c}], nodeName: a1}
status: {phase: Running}
)";
  const json standing = report(set, "lws/chat");
  REQUIRE(standing["groups"].size() == 2);
  CHECK(standing["groups"][0]["segments"][0]["pods"].size() == 3);
  CHECK(standing["groups"][1]["segments"][0]["pods"][0]["role"] == "leader");
  CHECK(standing["groups"][1]["segments"][0]["pods"][0]["node"] == "a1");
  CHECK_THAT(status(set, "chat").out, Contains("group 1, segment 0: pods 1-2: there is no such pod yet"));
}

TEST_CASE("the pods of a native workload are those of the job that it owns") {
  const std::string native = R"(---
apiVersion: run.ai/v2alpha1
kind: DistributedWorkload
metadata: {name: train, namespace: team}
spec: {workers: {value: 2}, workersPerSegment: {value: 2}}
)";
  const std::string owner =
      ", ownerReferences: [{apiVersion: run.ai/v2alpha1, kind: DistributedWorkload, name: train}]";
  const std::string objects =
      native + job("train", 2, "", owner) + worker("train", 0, on("a1")) + worker("train", 1, on("a1"));
  const Answer answer = status(objects, "train");
  CHECK(answer.status == 0);
  CHECK_THAT(answer.out, Contains("DistributedWorkload team/train: 1 of 1 segments placed"));
  CHECK_THAT(status(objects, "pytorchjob/train").out, Contains("PyTorchJob team/train: 1 of 1"));
}

TEST_CASE("kinds are named as kubectl takes them") {
  const std::string objects = job("train", 2);
  for (const char* kind : {"pytorchjob", "PyTorchJob", "pytorchjobs", "pytorchjobs.kubeflow.org"}) {
    CHECK(status(objects, std::string(kind) + "/train").status == 1);
  }
  const Answer unknown = status(objects, "job/train");
  CHECK(unknown.status == 3);
  CHECK_THAT(unknown.err, Contains("\"job\" is no kind of workload; write one of pytorchjob, "));
}

TEST_CASE("a name that is not there is answered with those that are") {
  const Answer answer = status(job("train", 2), "tarin");
  CHECK(answer.status == 3);
  CHECK_THAT(answer.err, Contains("no workload is named \"tarin\"; there are: PyTorchJob team/train"));
  CHECK_THAT(status(job("train", 2), "train", {"-n", "other"}).err, Contains("in namespace other"));
  CHECK_THAT(status("", "train").err, Contains("there are no workloads; a cluster file has to hold them"));
}

TEST_CASE("a name that two workloads have must be told apart") {
  std::string other = job("train", 2);
  other.replace(other.find("team"), 4, "lab");
  const Answer answer = status(job("train", 2) + other, "train");
  CHECK(answer.status == 3);
  CHECK_THAT(answer.err, Contains("\"train\" may be any of: PyTorchJob team/train, PyTorchJob lab/train"));
  CHECK_THAT(status(job("train", 2) + other, "train", {"-n", "lab"}).out, Contains("lab/train"));
}

TEST_CASE("a workload that asks for what cannot be is answered with the fault") {
  const Answer answer = status(job("train", 1), "train");
  CHECK(answer.status == 3);
  CHECK_THAT(answer.err, Contains("PyTorchJob team/train asks for what cannot be:\n") &&
                             Contains("segment-size 2 is greater than the 1 worker replica"));
}

TEST_CASE("a topology that does not exist is answered with those that do") {
  const Answer answer = status(job("train", 2), "train", {"--topology", "other"});
  CHECK(answer.status == 3);
  CHECK_THAT(answer.err, Contains("no topology is named \"other\"; there are: fabric"));
}

// A cluster that runs one job and does not know LeaderWorkerSets.
Result<std::string> small_cluster(const std::vector<std::string>& command) {
  const std::string& resource = command.at(2);
  if (resource.starts_with("nodes"))
    return kCluster + worker("train", 0, on("a1")) + worker("train", 1, on("a1"));
  if (resource.starts_with("pytorchjobs")) return job("train", 2);
  if (resource.starts_with("distributedworkloads")) return R"({"apiVersion":"v1","kind":"List","items":[]})";
  return fail(Code::kUnavailable, R"(error: the server doesn't have a resource type "leaderworkersets")",
              "kubectl get");
}

TEST_CASE("without a cluster file kubectl is asked for each kind that the cluster has") {
  Program program;
  program.kubectl_by_command = small_cluster;
  const Answer answer = program.run({"status", "train", "-n", "team", "--context", "prod"});
  INFO(answer.err);
  CHECK(answer.status == 0);
  REQUIRE(program.executed.size() == 4);
  CHECK(program.executed[1] == std::vector<std::string>{"kubectl", "get", "pytorchjobs.kubeflow.org", "-o",
                                                        "json", "--context", "prod", "-n", "team"});
}

TEST_CASE("what kubectl is refused is told") {
  Program program;
  program.kubectl_by_command = [](const std::vector<std::string>& command) -> Result<std::string> {
    if (command.at(2).starts_with("pytorchjobs")) return fail(Code::kUnavailable, "Forbidden", "kubectl get");
    return small_cluster(command);
  };
  const Answer answer = program.run({"status", "train"});
  CHECK(answer.status == 3);
  CHECK_THAT(answer.err, Contains("kubectl get: Forbidden"));
}

TEST_CASE("the example of the documentation has one segment that runs and one that waits") {
  const Answer answer =
      toposeg({"status", "speech-train", "--cluster", kClusterFile, "--cluster", kRunningFile, "-o", "wide"});
  CHECK(answer.status == 1);
  CHECK_THAT(answer.out, Contains("1 of 2 segments placed, 1 waiting; 5 of 9 pods have a node"));
  CHECK_THAT(answer.out, Contains("host-a221:0;host-a222:1;host-a223:2;host-a224:3"));
}

}  // namespace
}  // namespace toposeg::cli
