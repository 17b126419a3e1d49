// Advice on fragmentation from files to text: two racks of four hosts and a job that stands in the way.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "program.h"
#include "unit/catch.h"

namespace toposeg::cli {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;

struct Cluster {
  std::string nodes_spec = "{}";  // of the hosts of rack 1
  bool with_job = true;
  bool annotated = true;
  bool bound = true;
  std::string whole_required = {};
  std::string selector = "{}";

  [[nodiscard]] std::string text() const {
    std::string text =
        "apiVersion: kai.scheduler/v1alpha1\nkind: Topology\nmetadata: {name: t}\n"
        "spec: {levels: [{nodeLabel: block}, {nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}\n";
    for (int i = 0; i < 8; ++i) text += node(i);
    for (const int i : {6, 7}) text += stranger(i);
    if (with_job) text += job();
    for (int i = 0; i < 2; ++i) text += pod(i);
    return text;
  }

  [[nodiscard]] std::string node(int i) const {
    return fmt::format(
        "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: n{0}\n  labels: {{block: b{1}, rack: r{1}, "
        "kubernetes.io/hostname: n{0}}}\nspec: {2}\nstatus:\n  allocatable: {{nvidia.com/gpu: 8, pods: "
        "110}}\n"
        "  conditions: [{{type: Ready, status: \"True\"}}]\n",
        i, i / 4, i < 4 ? "{}" : nodes_spec);
  }

  static std::string stranger(int i) {
    return fmt::format(
        "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: s{0}, namespace: x, uid: s{0}}}\nspec: "
        "{{nodeName: "
        "n{0}, containers: [{{name: a, resources: {{requests: {{nvidia.com/gpu: 8}}}}}}]}}\nstatus: {{phase: "
        "Running}}\n",
        i);
  }

  [[nodiscard]] std::string job() const {
    const std::string root =
        whole_required.empty()
            ? ""
            : fmt::format(", annotations: {{kai.scheduler/topology-required-placement: {}}}", whole_required);
    return fmt::format(
        "---\napiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {{name: train, namespace: x, uid: "
        "u{0}}}\nspec:\n  pytorchReplicaSpecs:\n    Worker:\n      replicas: 2\n      template:\n        "
        "metadata:\n          annotations: {{kai.scheduler/topology: t, kai.scheduler/segment-size: \"2\", "
        "kai.scheduler/segment-topology-required-placement: rack}}\n        spec: {{nodeSelector: {1}, "
        "containers: [{{name: pytorch, resources: {{requests: {{nvidia.com/gpu: 8}}}}}}]}}\n",
        root, selector);
  }

  [[nodiscard]] std::string pod(int i) const {
    const std::string notes =
        annotated
            ? R"({kai.scheduler/topology: t, toposeg.io/segment: "0", toposeg.io/domain: '["b0","r0"]'})"
            : "{}";
    return fmt::format(
        "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: train-worker-{0}\n  namespace: x\n  uid: p{0}\n  "
        "annotations: {1}\n  labels: {{training.kubeflow.org/job-name: train, "
        "training.kubeflow.org/replica-type: worker, training.kubeflow.org/replica-index: \"{0}\"}}\n  "
        "ownerReferences: [{{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: train, uid: u, controller: "
        "true}}]\nspec: {{{2}containers: [{{name: pytorch, resources: {{requests: {{nvidia.com/gpu: "
        "8}}}}}}]}}\nstatus: {{phase: Running}}\n",
        i, notes, bound || i == 0 ? fmt::format("nodeName: n{}, ", i + 2) : "");
  }
};

Answer defrag(const Cluster& cluster, std::vector<std::string> more = {}) {
  const Folder folder;
  std::vector<std::string> arguments{
      "defrag", "--size", "4", "--level", "rack", "--cluster", folder.write("cluster.yaml", cluster.text())};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return toposeg(arguments);
}

json report(const Cluster& cluster) { return json::parse(defrag(cluster, {"-o", "json"}).out); }

TEST_CASE("the advice names the segment, where it stands, where it goes, and the slots before and after") {
  const Answer answer = defrag({});
  CHECK(answer.status == 0);
  CHECK_THAT(answer.out, Contains("1           1     2            +1              2\n"));
  CHECK_THAT(answer.out,
             Contains("  1. PyTorchJob x/train segment 0, 2 pods\n     from b0/r0\n     to   b1/r1\n"));
  CHECK_THAT(answer.out, Contains("rack        0         1\n"));
  CHECK_THAT(answer.out, Contains("Proven: with up to 3 moves there is nothing better."));
  CHECK_THAT(answer.out, Contains("1 segment may move.\n"));
}

TEST_CASE("programs get every pod with its hosts") {
  const json advice = report({});
  CHECK(advice["kind"] == "DefragReport");
  CHECK(advice["slots"] == json::array({0, 0, 0}));
  const json& option = advice["options"][0];
  CHECK(option["gained"] == 1);
  CHECK(option["slots"] == json::array({1, 1, 0}));
  CHECK(option["moves"][0]["pods"] == json::array({{{"index", 0}, {"from", "n2"}, {"to", "n4"}},
                                                   {{"index", 1}, {"from", "n3"}, {"to", "n5"}}}));
  CHECK(advice["provenMoves"] == 3);
}

TEST_CASE("the job that runs may itself be asked about, and moved") {
  const Folder folder;
  const Cluster cluster;
  const std::string job = folder.write("job.yaml", cluster.job());
  const Answer answer = defrag(cluster, {"-f", job, "-o", "json"});
  CHECK(answer.status == 0);
  CHECK(json::parse(answer.out)["options"].size() == 1);
  CHECK_THAT(defrag(cluster, {"-f", job}).out, Contains("Pods: as the workers of PyTorchJob x/train"));
}

TEST_CASE("pods without our decision on them never move") {
  Cluster cluster;
  cluster.annotated = false;
  const json advice = report(cluster);
  CHECK(advice["movable"] == 0);
  CHECK(advice["options"].empty());
  CHECK_THAT(defrag(cluster).out, Contains("No way was found to gain a slot of 4 pods at level rack"));
}

TEST_CASE("a segment with a pod that has no node stays, and the advice says so") {
  Cluster cluster;
  cluster.bound = false;
  CHECK(report(cluster)["fixed"]["incomplete"] == 1);
  CHECK_THAT(defrag(cluster).out, Contains("1 stay: 1 incomplete"));
}

TEST_CASE("a workload that must share a block is not taken out of it") {
  Cluster cluster;
  cluster.whole_required = "block";
  CHECK(report(cluster)["options"].empty());
  cluster.whole_required = "";
  CHECK(report(cluster)["options"].size() == 1);
}

TEST_CASE("nodes that the workload's own template excludes do not take it") {
  Cluster cluster;
  cluster.selector = "{rack: r0}";
  CHECK(report(cluster)["options"].empty());
}

TEST_CASE("cordoned and tainted nodes take no segment") {
  for (const std::string spec :
       {"{unschedulable: true}", "{taints: [{key: team, value: other, effect: NoSchedule}]}"}) {
    Cluster cluster;
    cluster.nodes_spec = spec;
    CHECK(report(cluster)["options"].empty());
  }
}

TEST_CASE("of an unknown workload the segment keeps what it has reached") {
  Cluster cluster;
  cluster.with_job = false;
  const json advice = report(cluster);
  CHECK(advice["unknown"] == 1);
  CHECK(advice["options"].empty());  // its rack is its whole workload's
  CHECK_THAT(defrag(cluster).out, Contains("that are not in the input"));
}

TEST_CASE("wrong questions get an answer that says what would be right") {
  const Answer level = toposeg({"defrag", "--size", "4", "--level", "row", "--cluster", kClusterFile});
  CHECK(level.status == 3);
  CHECK_THAT(level.err, Contains("has no level \"row\"; its levels are zone, block, rack, hostname"));
  CHECK(toposeg({"defrag", "--level", "rack", "--cluster", kClusterFile}).status == 2);
  CHECK(toposeg({"defrag", "--size", "0", "--level", "rack", "--cluster", kClusterFile}).status == 2);
  CHECK(toposeg({"defrag", "--size", "4", "--level", "rack", "--moves", "99", "--cluster", kClusterFile})
            .status == 2);
}

}  // namespace
}  // namespace toposeg::cli
