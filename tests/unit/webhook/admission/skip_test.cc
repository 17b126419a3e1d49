#include "webhook/admission/skip.h"

#include "unit/catch.h"

namespace toposeg::webhook {
namespace {

using json::Document;

std::string reason(const char* pod, const std::string& namespace_ = "team") {
  config::PodConfig config;
  config.scheduler_names = {"default-scheduler", "second"};
  config.excluded_namespaces = {"infra"};
  config.own_namespace = "toposeg-system";
  const auto result = reason_to_skip(Document::parse(pod), namespace_, config);
  return result ? std::string(name_of(*result)) : std::string("none");
}

TEST_CASE("an_ordinary_pod_is_not_skipped") {
  CHECK(reason("{}") == "none");
  CHECK(reason(R"({"spec":{"schedulerName":"default-scheduler","nodeName":""}})") == "none");
  CHECK(reason(R"({"spec":{"schedulerName":"second"}})") == "none");
  CHECK(reason(R"({"spec":{"schedulingGates":[{"name":"other"}]}})") == "none");
}

TEST_CASE("system_own_and_configured_namespaces_are_skipped") {
  for (const char* name : {"kube-system", "kube-public", "kube-node-lease", "toposeg-system", "infra"}) {
    CHECK(reason("{}", name) == "namespace");
  }
}

TEST_CASE("pods_that_others_place_are_skipped_with_their_reason") {
  CHECK(reason(R"({"spec":{"schedulerName":"kai-scheduler"}})") == "scheduler_name");
  CHECK(reason(R"({"spec":{"nodeName":"n1"}})") == "node_name");
  CHECK(
      reason(R"({"metadata":{"annotations":{"kubernetes.io/config.mirror":"x"}},"spec":{"nodeName":"n"}})") ==
      "mirror_pod");
  CHECK(reason(R"({"spec":{"schedulingGates":[{"name":"kueue.x-k8s.io/topology"}]}})") == "kueue");
  CHECK(reason(R"({"metadata":{"annotations":{"kueue.x-k8s.io/podset-preferred-topology":"rack"}}})") ==
        "kueue");
}

TEST_CASE("odd_types_in_a_pod_do_not_matter_to_the_skip_list") {
  CHECK(reason(R"({"metadata":7,"spec":[]})") == "none");
  CHECK(reason(R"({"metadata":{"annotations":[1]},"spec":{"schedulingGates":{"a":1},"nodeName":5}})") ==
        "none");
}

}  // namespace
}  // namespace toposeg::webhook
