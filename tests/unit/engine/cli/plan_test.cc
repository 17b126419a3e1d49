#include <nlohmann/json.hpp>

#include "common/kube/read.h"
#include "program.h"
#include "unit/catch.h"

namespace toposeg::cli {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;

const std::vector<std::string> kPlan{"plan", "-f", kJobFile, "--cluster", kClusterFile};

std::vector<std::string> plan_with(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = kPlan;
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::string job(const std::string& name, int workers, const std::string& size) {
  return "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: " + name +
         "}\nspec:\n  pytorchReplicaSpecs:\n    Worker:\n      replicas: " + std::to_string(workers) +
         "\n      template:\n        metadata:\n          annotations:\n"
         "            kai.scheduler/topology: cluster-topology\n"
         "            kai.scheduler/segment-size: " +
         size +
         "\n            kai.scheduler/segment-topology-required-placement: cloud.provider.com/topology-rack\n"
         "        spec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: '8'}}}]}\n";
}

TEST_CASE("a plan that fits ends with 0 and a row for each segment") {
  const Answer answer = toposeg(kPlan);
  CHECK(answer.status == 0);
  CHECK(answer.err.empty());
  CHECK_THAT(answer.out, Contains("WORKLOAD   GROUP  SEGMENT  PODS"));
  CHECK_THAT(answer.out, Contains("12-15"));
  CHECK_THAT(answer.out, Contains("master-0"));
  CHECK_THAT(answer.out, Contains("PyTorchJob research/llm-train: 4 of 4 segments placed\n"));
}

TEST_CASE("rows of a plan keep within eighty columns") {
  std::istringstream lines(toposeg(kPlan).out);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
    CHECK((line.empty() || line.back() != ' '));
  }
}

TEST_CASE("a plan that does not fit ends with 1 and says why") {
  const Folder folder;
  const Answer answer =
      toposeg({"plan", "-f", folder.write("job.yaml", job("huge", 64, "'4'")), "--cluster", kClusterFile});
  CHECK(answer.status == 1);
  CHECK_THAT(answer.out, Contains("waiting"));
  CHECK_THAT(answer.out, Contains("it does not fit now\n"));
  CHECK_THAT(answer.out, Contains("no rack can hold 4 pods"));
}

TEST_CASE("a refused workload ends with 3 and names field and value") {
  const Folder folder;
  const Answer answer =
      toposeg({"plan", "-f", folder.write("job.yaml", job("wrong", 4, "'20'")), "--cluster", kClusterFile});
  CHECK(answer.status == 3);
  CHECK_THAT(answer.err,
             Contains("error: PyTorchJob default/wrong is refused:\n  spec.pytorchReplicaSpecs.Worker"));
  CHECK_THAT(answer.err, Contains("20"));
  CHECK_THAT(answer.out, Contains("PyTorchJob default/wrong: refused\n"));
}

TEST_CASE("each workload of the input leaves its space taken for the next") {
  const Folder folder;
  const Answer one =
      toposeg({"plan", "-f", folder.write("one.yaml", job("second", 16, "'4'")), "--cluster", kClusterFile});
  CHECK(one.status == 1);
  const Answer alone =
      toposeg({"plan", "-f", folder.write("four.yaml", job("second", 4, "'4'")), "--cluster", kClusterFile});
  CHECK(alone.status == 0);
  const std::string twice = job("first", 4, "'4'") + "---\n" + job("second", 4, "'4'");
  const Answer answer =
      toposeg({"plan", "-f", folder.write("two.yaml", twice), "--cluster", kClusterFile, "-o", "json"});
  const json report = json::parse(answer.out);
  REQUIRE(report["workloads"].size() == 2);
  CHECK(report["workloads"][0]["groups"][0]["segments"][0]["domain"] !=
        report["workloads"][1]["groups"][0]["segments"][0]["domain"]);
}

TEST_CASE("manifests come from standard input") {
  Program program;
  program.input = job("piped", 4, "'4'");
  const Answer answer = program.run({"plan", "-f", "-", "--cluster", kClusterFile});
  CHECK(answer.status == 0);
  CHECK_THAT(answer.out, Contains("PyTorchJob default/piped: 1 of 1 segments placed"));
}

TEST_CASE("the namespace option is for manifests that name none") {
  Program program;
  program.input = job("piped", 4, "'4'");
  CHECK_THAT(program.run({"plan", "-f", "-", "--cluster", kClusterFile, "-n", "team"}).out,
             Contains("PyTorchJob team/piped"));
  CHECK_THAT(toposeg(plan_with({"-n", "team"})).out, Contains("PyTorchJob research/llm-train"));
}

TEST_CASE("objects of other kinds are passed over with a note") {
  Program program;
  program.input = "kind: ConfigMap\napiVersion: v1\n---\n" + job("piped", 4, "'4'");
  const Answer answer = program.run({"plan", "-f", "-", "--cluster", kClusterFile});
  CHECK(answer.status == 0);
  CHECK(answer.err == "Note: passed over, no workloads: 1 ConfigMap\n");
}

TEST_CASE("the report is versioned and tells segments, pods and hosts") {
  const Answer answer = toposeg(plan_with({"-o", "json"}));
  const json report = json::parse(answer.out);
  CHECK(report["apiVersion"] == "toposeg.io/v1");
  CHECK(report["kind"] == "PlanReport");
  CHECK(report["fits"] == true);
  const json& workload = report["workloads"][0];
  CHECK(workload["outcome"] == "placed");
  CHECK(workload["levels"].size() == 4);
  CHECK(workload["segmentLevels"]["required"] == "cloud.provider.com/topology-rack");
  CHECK(workload["segmentLevels"]["preferred"].is_null());
  const json& segments = workload["groups"][0]["segments"];
  REQUIRE(segments.size() == 4);
  CHECK(segments[3]["pods"][0]["index"] == 12);
  CHECK(segments[3]["pods"][0]["host"].get<std::string>().starts_with("host-"));
  CHECK(segments[3]["domain"].size() >= 3);
  CHECK(workload["groups"][0]["loosePods"][0]["role"] == "master");
}

TEST_CASE("the yaml report reads back as the json report") {
  const std::string yaml = toposeg(plan_with({"-o", "yaml"})).out;
  CHECK(yaml.starts_with(
      "apiVersion: toposeg.io/v1\nkind: PlanReport\nfits: true\nworkloads:\n- apiGroup: kubeflow.org\n"));
  const auto documents = kube::read_documents(yaml, "report");
  REQUIRE(documents);
  CHECK(documents->front() == json::parse(toposeg(plan_with({"-o", "json"})).out));
}

TEST_CASE("wide adds the hosts of each segment") {
  CHECK_THAT(toposeg(plan_with({"-o", "wide"})).out, Contains("HOSTS") && Contains(":0-1;host-"));
  CHECK_THAT(toposeg(kPlan).out, !Contains("HOSTS"));
}

TEST_CASE("name prints only what fits") {
  CHECK(toposeg(plan_with({"-o", "name"})).out == "pytorchjob.kubeflow.org/llm-train\n");
  const Folder folder;
  const Answer unfit = toposeg({"plan", "-f", folder.write("job.yaml", job("huge", 64, "'4'")), "--cluster",
                                kClusterFile, "-o", "name"});
  CHECK(unfit.out.empty());
  CHECK(unfit.status == 1);
}

TEST_CASE("dot draws the used part of the tree") {
  const std::string picture = toposeg(plan_with({"-o", "dot"})).out;
  CHECK_THAT(picture, Contains("digraph \"cluster-topology\" {") && Contains("llm-train segment 0: 0-1"));
  CHECK_THAT(picture, !Contains("zone-a\\n"));
}

TEST_CASE("a managed workload gets levels that kubectl does not add") {
  Program program;
  const std::string text = job("auto", 4, "'2'");
  program.input = text.substr(0, text.find("            kai.scheduler/segment-topology")) +
                  text.substr(text.find("        spec: {containers"));
  const std::vector<std::string> plain{"plan", "-f", "-", "--cluster", kClusterFile, "-o", "json"};
  const json by_hand = json::parse(program.run(plain).out);
  CHECK(by_hand["workloads"][0]["managed"] == false);
  CHECK(by_hand["workloads"][0]["segmentLevels"]["preferred"].is_null());
  std::vector<std::string> managed = plain;
  managed.emplace_back("--managed");
  const json filled = json::parse(program.run(managed).out);
  CHECK(filled["workloads"][0]["managed"] == true);
  CHECK(filled["workloads"][0]["segmentLevels"]["preferred"] == "kubernetes.io/hostname");
}

TEST_CASE("a leader joins the first segment") {
  const json report =
      json::parse(toposeg({"plan", "-f", kLwsFile, "--cluster", kClusterFile, "-o", "json"}).out);
  const json& segments = report["workloads"][0]["groups"][0]["segments"];
  REQUIRE(segments.size() == 2);
  CHECK(segments[0]["pods"].size() == 3);
  CHECK(segments[0]["pods"][0]["role"] == "leader");
}

TEST_CASE("colour is for terminals, and NO_COLOR turns it off") {
  Program program;
  program.terminal = true;
  CHECK_THAT(program.run(kPlan).out, Contains("\x1b[32mplaced\x1b[0m"));
  program.variables["NO_COLOR"] = "1";
  CHECK_THAT(program.run(kPlan).out, !Contains("\x1b["));
  CHECK_THAT(toposeg(kPlan).out, !Contains("\x1b["));
}

}  // namespace
}  // namespace toposeg::cli
