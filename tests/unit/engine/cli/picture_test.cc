// Plans and topologies as pictures, from files to shapes. How they look in a browser is for
// tests/integration/pictures_test.py.
#include "program.h"
#include "unit/catch.h"

namespace toposeg::cli {
namespace {

using Catch::Matchers::Contains;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_CASE("a plan's picture shows every host and each segment where it goes") {
  const Answer answer = toposeg({"plan", "-f", kJobFile, "--cluster", kClusterFile, "-o", "svg"});
  CHECK(answer.status == 0);
  CHECK(count(answer.out, "<g class=\"h\"") == 32);
  CHECK_THAT(answer.out, Contains("PyTorchJob research/llm-train on cluster-topology"));
  CHECK_THAT(answer.out, Contains("4 of 4 segments placed"));
  CHECK_THAT(answer.out, Contains("32 hosts: ") && Contains("2 unhealthy"));
  CHECK_THAT(answer.out, Contains("llm-train segment 1: 4 pods in zone-a/block-a2/rack-a21"));
  CHECK_THAT(answer.out,
             Contains("<title>host-a213\n0 of 8 nvidia.com/gpu free\nllm-train segment 1: 4-5</title>"));
  CHECK_THAT(answer.out, Contains("<title>host-b221\n") && Contains("cordoned"));
  CHECK_THAT(answer.out, Contains("llm-train master: in no segment"));
}

TEST_CASE("several workloads are told apart by letters") {
  const Answer answer =
      toposeg({"plan", "-f", kJobFile, "-f", kLwsFile, "--cluster", kClusterFile, "-o", "html"});
  CHECK_THAT(answer.out, Contains("2 workloads on cluster-topology"));
  CHECK_THAT(answer.out, Contains(">A0 llm-train segment 0<") && Contains(">B1 chat-large segment 1<"));
  CHECK_THAT(answer.out, Contains("<!DOCTYPE html>") && Contains("</html>\n"));
}

TEST_CASE("what does not fit is drawn as waiting, and the exit status says so") {
  const Folder folder;
  const std::string job = folder.write(
      "job.yaml",
      "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: huge}\nspec:\n  pytorchReplicaSpecs:\n"
      "    Worker:\n      replicas: 64\n      template:\n        metadata:\n          annotations: "
      "{kai.scheduler/topology: cluster-topology, kai.scheduler/segment-size: \"64\", "
      "kai.scheduler/segment-topology-required-placement: cloud.provider.com/topology-rack}\n        spec: "
      "{containers: [{name: pytorch, "
      "resources: {limits: {nvidia.com/gpu: 8}}}]}\n");
  const Answer answer = toposeg({"plan", "-f", job, "--cluster", kClusterFile, "-o", "svg"});
  CHECK(answer.status == 1);
  CHECK_THAT(answer.out, Contains("0 of 1 segments placed") && Contains("class=\"wait\"") &&
                             Contains("waiting; no rack can hold 64 pods"));
}

TEST_CASE("the topology's picture shows what others use and no segments") {
  const Answer answer = toposeg({"topology", "--cluster", kClusterFile, "-o", "svg"});
  CHECK(answer.status == 0);
  CHECK(count(answer.out, "<g class=\"h\"") == 32);
  CHECK_THAT(answer.out, Contains("Topology cluster-topology") && !Contains("segments placed"));
  CHECK(count(answer.out, "<g class=\"l\"") == 0);
}

TEST_CASE("a node without a label is drawn outside with the label that it lacks") {
  const Folder folder;
  const std::string stray = folder.write("stray.yaml",
                                         "apiVersion: v1\nkind: Node\nmetadata:\n  name: stray\n"
                                         "  labels: {topology.kubernetes.io/zone: zone-a}\n");
  const Answer answer = toposeg({"topology", "--cluster", kClusterFile, "--cluster", stray, "-o", "svg"});
  CHECK_THAT(answer.out, Contains("1 outside the topology"));
  CHECK_THAT(answer.out, Contains("<title>stray\nlacks the label cloud.provider.com/topology-block"));
}

TEST_CASE("a taint keeps a host grey until a segment that tolerates it stands there") {
  const Folder folder;
  const std::string cluster = folder.write(
      "cluster.yaml",
      "apiVersion: kai.scheduler/v1alpha1\nkind: Topology\nmetadata: {name: t}\nspec: {levels: [{nodeLabel: "
      "rack}]}\n---\napiVersion: v1\nkind: Node\nmetadata: {name: n0, labels: {rack: r}}\nspec: {taints: "
      "[{key: "
      "gpu, value: \"yes\", effect: NoSchedule}]}\nstatus: {allocatable: {nvidia.com/gpu: 8, pods: 110}, "
      "conditions: [{type: Ready, status: \"True\"}]}\n");
  const Answer answer = toposeg({"topology", "--cluster", cluster, "-o", "svg"});
  CHECK_THAT(answer.out, Contains("<title>n0\ntaint gpu=yes:NoSchedule\n8 of 8 nvidia.com/gpu free</title>"));
  CHECK(count(answer.out, "class=\"taint\"") == 2);
}

}  // namespace
}  // namespace toposeg::cli
