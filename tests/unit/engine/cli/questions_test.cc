#include <nlohmann/json.hpp>

#include "program.h"
#include "unit/catch.h"

namespace toposeg::cli {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;

TEST_CASE("slots count whole hosts unless a manifest is given") {
  const Answer hosts = toposeg({"slots", "--cluster", kClusterFile, "--size", "2,4"});
  CHECK(hosts.status == 0);
  CHECK_THAT(hosts.out, Contains("LEVEL     SIZE-2  SIZE-4\n") &&
                            Contains("Pods: one whole host each (nvidia.com/gpu=8)"));
  const Answer workers = toposeg({"slots", "-f", kJobFile, "--cluster", kClusterFile});
  CHECK_THAT(workers.out, Contains("as the workers of PyTorchJob research/llm-train"));
}

TEST_CASE("slots include the segment size of the manifest") {
  const json report =
      json::parse(toposeg({"slots", "-f", kLwsFile, "--cluster", kClusterFile, "-o", "json"}).out);
  CHECK(report["sizes"] == json::array({2, 4, 8, 16, 32}));
  CHECK(report["levels"][0]["level"] == "topology.kubernetes.io/zone");
  CHECK(report["levels"][0]["slots"][0] > report["levels"][0]["slots"][4]);
}

TEST_CASE("the topology is a tree that folds hosts that are alike") {
  const Answer folded = toposeg({"topology", "--cluster", kClusterFile});
  CHECK(folded.status == 0);
  CHECK_THAT(folded.out, Contains("zone-a") && Contains("    rack-a11") && Contains(" alike)"));
  CHECK_THAT(folded.out, Contains("Topology cluster-topology: zone > block > rack > hostname"));
  const Answer wide = toposeg({"topology", "--cluster", kClusterFile, "-o", "wide"});
  CHECK_THAT(wide.out, Contains("      host-b224") && !Contains("alike"));
}

TEST_CASE("the topology counts what is free, idle and unhealthy") {
  const json report = json::parse(toposeg({"topology", "--cluster", kClusterFile, "-o", "json"}).out);
  CHECK(report["resource"] == "nvidia.com/gpu");
  const json& zone = report["domains"][0];
  CHECK(zone["path"] == json::array({"zone-a"}));
  CHECK(zone["nodes"] == 16);
  CHECK(zone["unhealthy"] == 0);
  CHECK(zone["total"] == 128);
  CHECK(zone["free"] == 128 - 2 - 6 - 8 - 4);
  CHECK(zone["idle"] == 12);
}

TEST_CASE("nodes outside are named with the label they lack") {
  const Folder folder;
  const std::string stray = folder.write("stray.yaml",
                                         "apiVersion: v1\nkind: Node\nmetadata:\n  name: stray\n"
                                         "  labels: {topology.kubernetes.io/zone: zone-a}\n");
  const Answer answer = toposeg({"topology", "--cluster", kClusterFile, "--cluster", stray});
  CHECK_THAT(answer.out,
             Contains("Outside, for want of the label cloud.provider.com/topology-block: stray\n"));
  CHECK_THAT(toposeg({"topology", "--cluster", kClusterFile}).out, !Contains("Outside"));
}

TEST_CASE("hosts that a taint keeps for devices count for whole-host pods and in the tree") {
  const Folder folder;
  const std::string cluster = folder.write(
      "cluster.yaml",
      "apiVersion: kai.scheduler/v1alpha1\nkind: Topology\nmetadata: {name: t}\n"
      "spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}\n---\n"
      "apiVersion: v1\nkind: Node\nmetadata: {name: a, labels: {rack: r, kubernetes.io/hostname: a}}\n"
      "spec: {taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]}\n"
      "status: {allocatable: {nvidia.com/gpu: 8, pods: 110}, conditions: [{type: Ready, status: 'True'}]}\n");
  const Answer slots = toposeg({"slots", "--size", "1", "--cluster", cluster});
  CHECK_THAT(slots.out,
             Contains("rack           1\n") && Contains("(nvidia.com/gpu=8), tolerating nvidia.com/gpu\n"));
  CHECK_THAT(toposeg({"topology", "--cluster", cluster}).out, Contains("1          0     8      8\n"));
}

TEST_CASE("the topology is drawn whole") {
  const std::string picture = toposeg({"topology", "--cluster", kClusterFile, "-o", "dot"}).out;
  CHECK_THAT(picture, Contains("[label=\"zone-a\\n108 of 128 free\"];"));
  CHECK_THAT(picture, Contains("host-b224"));
}

TEST_CASE("explain tells the level numbers and the next best domains") {
  const Answer answer = toposeg({"explain", "-f", kJobFile, "--segment", "1", "--cluster", kClusterFile});
  CHECK(answer.status == 0);
  CHECK_THAT(answer.out, Contains("Segment 1 has 4 pods and goes to"));
  CHECK_THAT(answer.out, Contains("LARGEST-HOLDS") && Contains("CANDIDATE") && Contains("chosen"));
}

TEST_CASE("explain refuses a segment that does not exist") {
  const Answer answer = toposeg({"explain", "-f", kJobFile, "--segment", "9", "--cluster", kClusterFile});
  CHECK(answer.status == 3);
  CHECK_THAT(answer.err, Contains("there is no segment 9; they are numbered 0 to 3"));
}

TEST_CASE("explain asks which workload is meant when there are several") {
  const std::vector<std::string> both{"explain",   "-f", kJobFile,    "-f",        kLwsFile,
                                      "--segment", "0",  "--cluster", kClusterFile};
  const Answer unclear = toposeg(both);
  CHECK(unclear.status == 3);
  CHECK_THAT(unclear.err, Contains("--workload: is needed") && Contains("llm-train, chat-large"));
  std::vector<std::string> named = both;
  named.insert(named.end(), {"--workload", "chat-large"});
  CHECK(toposeg(named).status == 0);
  named.back() = "chat";
  CHECK_THAT(toposeg(named).err, Contains("no workload is named \"chat\""));
}

}  // namespace
}  // namespace toposeg::cli
