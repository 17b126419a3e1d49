#include "program.h"
#include "unit/catch.h"

namespace toposeg::cli {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("what is wrong with a file is said in one line with its name") {
  const Folder folder;
  const std::string empty = folder.write("empty.yaml", "");
  const std::string broken = folder.write("broken.yaml", "kind: PyTorchJob\n  spec: [\n");
  const std::string text = folder.write("text.yaml", "just words\n");
  const auto plan = [](const std::string& file) {
    return toposeg({"plan", "-f", file, "--cluster", kClusterFile});
  };
  for (const auto& [file, message] : std::vector<std::pair<std::string, std::string>>{
           {"/nowhere/job.yaml", "error: /nowhere/job.yaml: cannot be opened: No such file or directory\n"},
           {folder.path(), "is a directory"},
           {empty, "empty.yaml: is empty; expected Kubernetes objects"},
           {broken, "broken.yaml:2"},
           {text, "text.yaml: document 1 is a string; expected a Kubernetes object"}}) {
    const Answer answer = plan(file);
    INFO(file);
    CHECK(answer.status == 3);
    CHECK(answer.out.empty());
    CHECK_THAT(answer.err, StartsWith("error: ") && Contains(message));
  }
}

TEST_CASE("an input without workloads tells what it holds and what was expected") {
  const Answer answer = toposeg({"plan", "-f", kClusterFile, "--cluster", kClusterFile});
  CHECK(answer.status == 3);
  CHECK_THAT(answer.err,
             Contains("no workload in it (found 32 Node") && Contains("PyTorchJob (kubeflow.org)"));
}

TEST_CASE("a cluster file without nodes is no cluster") {
  const Answer answer = toposeg({"plan", "-f", kJobFile, "--cluster", kJobFile});
  CHECK(answer.status == 3);
  CHECK_THAT(answer.err, Contains("pytorchjob.yaml: no Node in it; expected what `kubectl get"));
}

TEST_CASE("without a topology the tree cannot be shown") {
  const Folder folder;
  const std::string nodes =
      folder.write("nodes.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: lonely}\n");
  const Answer answer = toposeg({"topology", "--cluster", nodes});
  CHECK(answer.status == 3);
  CHECK_THAT(answer.err, Contains("the cluster has no Topology"));
}

TEST_CASE("a topology that breaks a rule is refused with its field") {
  const Folder folder;
  const std::string cluster = folder.write(
      "cluster.yaml",
      "apiVersion: v1\nkind: Node\nmetadata: {name: lonely}\n---\napiVersion: kai.scheduler/v1alpha1\n"
      "kind: Topology\nmetadata: {name: t}\nspec: {levels: [{nodeLabel: a}, {nodeLabel: a}]}\n");
  const Answer answer = toposeg({"topology", "--cluster", cluster});
  CHECK(answer.status == 3);
  CHECK_THAT(answer.err, Contains("spec.levels[1]"));
}

TEST_CASE("an unknown topology is refused with the list of those that exist") {
  const Answer answer = toposeg({"slots", "--cluster", kClusterFile, "--topology", "other"});
  CHECK(answer.status == 3);
  CHECK_THAT(answer.err, Contains("\"other\" does not exist; there are: cluster-topology"));
}

TEST_CASE("wrong usage ends with 2 and points to the help") {
  for (const auto& [arguments, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{}, "a command is missing: write one of plan, slots"},
           {{"plain"},
            "\"plain\" is no command: write one of plan, slots, defrag, topology, explain, status, simulate, "
            "generate, version, completion"},
           {{"plan"}, "--filename is required"},
           {{"plan", "-f", kJobFile, "-o", "xml"}, "xml"},
           {{"plan", "-f", kJobFile, "-o", "json", "-o", "yaml"},
            "--output may be given only once, not as json and yaml"},
           {{"plan", "-f", "-", "--cluster", "-"}, "may be named only once"},
           {{"slots", "--size", "-3"}, "--size: \"-3\" is wrong; write a whole number, at least 1"},
           {{"slots", "--size", "0"}, "--size"},
           {{"slots", "--size", "many"}, "--size"},
           {{"explain", "-f", kJobFile, "--segment", "-1"},
            "--segment: \"-1\" is wrong; write a whole number"},
           {{"explain", "-f", kJobFile, "--segmet", "1"}, "(did you mean \"--segment\"?)"},
           {{"simulate", "--load", "nan"}, "--load: \"nan\" is wrong; write a number from 0.01 to 10"},
           {{"simulate", "--seed", "-1"}, "--seed: \"-1\" is wrong"},
           {{"plan", "-f", kJobFile, "--frobnicate"}, "--frobnicate is no option of toposeg plan"},
           {{"man", "nothing"}, "there is no command \"nothing\""}}) {
    const Answer answer = toposeg(arguments);
    INFO(answer.err);
    CHECK(answer.status == 2);
    CHECK(answer.out.empty());
    CHECK_THAT(answer.err, StartsWith("error: ") && Contains(message) && Contains("--help"));
  }
}

TEST_CASE("faults of the configuration are all named with their lines") {
  const Folder folder;
  const std::string config = folder.write("config.yaml", "no_such_key: 1\nother_key: 2\n");
  const Answer answer = toposeg({"topology", "--cluster", kClusterFile, "--config", config});
  CHECK(answer.status == 3);
  CHECK_THAT(answer.err, Contains("config.yaml:1") && Contains("config.yaml:2"));
}

}  // namespace
}  // namespace toposeg::cli
