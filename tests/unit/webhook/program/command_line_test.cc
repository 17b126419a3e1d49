#include "webhook/program/command_line.h"

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "common/config/config.h"
#include "unit/catch.h"

namespace toposeg::webhook {
namespace {

using nlohmann::json;

const std::string kData = std::string(TOPOSEG_SOURCE_DIR) + "/tests/data/reviews/";

struct Outcome {
  int status = 0;
  std::string out;
  std::string err;
};

Outcome call(std::vector<const char*> arguments, const std::string& input = {}) {
  arguments.insert(arguments.begin(), "toposeg-webhook");
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  Outcome outcome;
  outcome.status = run(static_cast<int>(arguments.size()), arguments.data(), in, out, err);
  outcome.out = out.str();
  outcome.err = err.str();
  return outcome;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string kCluster = kData + "cluster.yaml";

const char* const kJob = R"(apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: job}
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: 6
      template:
        metadata:
          annotations:
            kai.scheduler/topology: cluster-topology
            kai.scheduler/segment-size: "SIZE"
            kai.scheduler/segment-topology-required-placement: cloud.provider.com/topology-rack
        spec: {containers: [{name: pytorch}]}
)";

std::string job(const std::string& size) {
  std::string text = kJob;
  return text.replace(text.find("SIZE"), 4, size);
}

TEST_CASE("help_of_every_command_shows_an_example_and_ends_well") {
  for (const std::vector<const char*>& arguments :
       {std::vector<const char*>{"--help"}, {"serve", "--help"}, {"review", "--help"}}) {
    const Outcome outcome = call(arguments);
    CHECK(outcome.status == 0);
    CHECK(holds(outcome.out, "Examples:"));
  }
}

TEST_CASE("the_version_is_printed_by_command_and_by_flag") {
  CHECK(call({"version"}).out == call({"--version"}).out);
  CHECK(call({"version"}).status == 0);
}

TEST_CASE("wrong_usage_ends_with_status_2_and_names_the_fault") {
  const Outcome unknown = call({"serve", "--snapshot", "x", "--no-such-flag"});
  CHECK(unknown.status == 2);
  CHECK(holds(unknown.err, "--no-such-flag"));
  CHECK(call({}).status == 2);
  CHECK(call({"serve", "--snapshot", "x", "--kubeconfig", "y"}).status == 2);
  CHECK(holds(call({"serve", "--context", "test"}).err, "--kubeconfig"));
}

TEST_CASE("a_flag_obeys_the_rules_of_the_key_that_it_sets") {
  for (const auto& [flags, message] : std::vector<std::pair<std::vector<const char*>, std::string>>{
           {{"--port", "70000"},
            "--port: server.port is \"70000\"; it must be a whole number from 0 to 65535"},
           {{"--workers", "99999999"},
            "--workers: server.workers is \"99999999\"; it must be a whole number"},
           {{"--drain", "5"}, "--drain: server.drain is \"5\"; it must be a duration from 0s to 10m"},
           {{"--log-level", "loud"}, "--log-level: log.level is \"loud\"; it must be one of trace, debug"},
           {{"--address", "here"}, "--address: server.address is \"here\"; it must be an IP address"},
           {{"--certificate", "c.pem"},
            "--certificate: server.certificateFile is set without server.keyFile"},
           {{"--plain-port", "9443"}, "--plain-port: server.port and server.plainPort are both 9443"},
           {{"--port", "1", "--port", "2"}, "--port may be given only once, not as 1 and 2"}}) {
    std::vector<const char*> arguments{"serve", "--snapshot", "x"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const Outcome outcome = call(arguments);
    INFO(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.err.starts_with("toposeg-webhook: " + message));
  }
}

TEST_CASE("flags_stand_over_the_file_in_what_is_printed") {
  const Outcome outcome =
      call({"--print-config", "serve", "--drain", "5s", "--lame-duck", "0", "--server-name", "a.example",
            "--server-name", "::1", "--log-format", "text"});
  CHECK(outcome.status == 0);
  const auto config = config::parse(outcome.out, "printed");
  REQUIRE(config);
  config::Config expected = config::defaults();
  expected.server.drain = std::chrono::seconds(5);
  expected.server.lame_duck = std::chrono::seconds(0);
  expected.server.server_names = {"a.example", "::1"};
  expected.log.format = "text";
  CHECK(*config == expected);
}

TEST_CASE("the_configuration_is_printed_so_that_it_can_be_used_as_a_file") {
  const Outcome outcome = call({"--print-config"});
  CHECK(outcome.status == 0);
  CHECK(config::parse(outcome.out, "printed").has_value());
}

TEST_CASE("a_missing_configuration_or_cluster_file_is_named_with_status_3") {
  const Outcome config = call({"--config", "/no/such/file.yaml", "--print-config"});
  CHECK(config.status == 3);
  CHECK(holds(config.err, "/no/such/file.yaml"));
  const Outcome cluster = call({"review", "--snapshot", "/no/such/cluster.yaml"}, job("2"));
  CHECK(cluster.status == 3);
  CHECK(holds(cluster.err, "/no/such/cluster.yaml"));
}

TEST_CASE("a_bare_manifest_is_reviewed_and_shown_as_it_will_be") {
  const Outcome outcome = call({"review", "--snapshot", kCluster.c_str(), "-o", "patched"}, job("3"));
  CHECK(outcome.status == 0);
  const json object = json::parse(outcome.out);
  CHECK(object["metadata"]["namespace"] == "default");
  CHECK(object["metadata"]["annotations"].contains("toposeg.io/plan"));
}

TEST_CASE("a_denied_manifest_ends_with_status_1_and_its_reason") {
  const Outcome outcome = call({"review", "--snapshot", kCluster.c_str()}, job("9"));
  CHECK(outcome.status == 1);
  CHECK(json::parse(outcome.out)["response"]["allowed"] == false);
  CHECK(holds(outcome.err, "denied the request:"));
  CHECK(holds(outcome.err, "segment-size 9"));
}

TEST_CASE("a_recorded_review_is_answered_as_it_is") {
  const std::string file = kData + "pod-pytorch-worker-3.json";
  const Outcome outcome = call({"review", "--snapshot", kCluster.c_str(), file.c_str()});
  CHECK(outcome.status == 0);
  const json response = json::parse(outcome.out)["response"];
  CHECK(response["uid"] == "9a89edd9-8527-4953-8678-f86e5ac8b318");
  CHECK(response["patchType"] == "JSONPatch");
}

TEST_CASE("a_managed_user_gets_what_a_kubectl_user_does_not") {
  std::string plain = job("3");
  plain.erase(plain.find("            kai.scheduler/segment-topology-required"),
              plain.find("        spec: {containers") -
                  plain.find("            kai.scheduler/segment-topology-required"));
  plain.replace(plain.find("{name: job}"), 11, "{name: job, annotations: {toposeg.io/automatic: \"true\"}}");
  const Outcome managed = call({"review", "--snapshot", kCluster.c_str(), "-o", "patch"}, plain);
  CHECK(holds(managed.out, "segment-topology-preferred-placement"));
  plain.replace(plain.find("\"true\""), 6, "\"false\"");
  const Outcome kubectl = call(
      {"review", "--snapshot", kCluster.c_str(), "-o", "patch", "--field-manager", "kubectl-create"}, plain);
  CHECK_FALSE(holds(kubectl.out, "segment-topology-preferred-placement"));
}

TEST_CASE("a_body_that_is_no_object_ends_with_status_3_and_says_why") {
  CHECK(call({"review"}, "").status == 3);
  const Outcome broken = call({"review"}, "{\"kind\": \"AdmissionReview\"");
  CHECK(broken.status == 3);
  CHECK_FALSE(broken.err.empty());
  const Outcome version =
      call({"review"},
           R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1","request":{"uid":"u"}})");
  CHECK(version.status == 3);
  CHECK(holds(version.err, "[v1]"));
}

}  // namespace
}  // namespace toposeg::webhook
