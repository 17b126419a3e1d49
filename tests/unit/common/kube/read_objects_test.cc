#include <string>

#include "common/kube/effective_request.h"
#include "common/kube/read.h"
#include "unit/catch.h"

namespace toposeg::kube {
namespace {

json::Document doc(const std::string& text) {
  auto parsed = json::decode(text);
  REQUIRE(parsed.has_value());
  return *parsed;
}

PodSpec spec_of(const std::string& text, const json::Document* labels = nullptr) {
  const auto spec = read_pod_spec(doc(text), labels, "spec");
  if (!spec) FAIL(spec.error().text());
  return *spec;
}

std::string refusal(const std::string& text) {
  const auto spec = read_pod_spec(doc(text), nullptr, "spec");
  REQUIRE_FALSE(spec.has_value());
  return spec.error().text();
}

TEST_CASE("containers_add_up_and_a_limit_stands_in_for_a_request") {
  const PodSpec spec = spec_of(R"({"containers":[
    {"name":"a","resources":{"requests":{"cpu":"1"},"limits":{"nvidia.com/gpu":"2","cpu":"9"}}},
    {"name":"b","resources":{"requests":{"cpu":"500m"}}}]})");
  CHECK(spec.requests == ResourceList{{"cpu", 1500}, {"nvidia.com/gpu", 2}});
}

TEST_CASE("the_largest_init_step_counts_with_the_sidecars_before_it") {
  const PodSpec spec = spec_of(R"({"initContainers":[
    {"name":"early","resources":{"requests":{"cpu":"3"}}},
    {"name":"side","restartPolicy":"Always","resources":{"requests":{"cpu":"1"}}},
    {"name":"late","resources":{"requests":{"cpu":"4"}}}],
    "containers":[{"name":"a","resources":{"requests":{"cpu":"2"}}}]})");
  CHECK(spec.requests == ResourceList{{"cpu", 5000}});
}

TEST_CASE("sidecars_run_beside_the_containers_and_overhead_comes_on_top") {
  const PodSpec spec = spec_of(R"({"overhead":{"cpu":"100m"},"initContainers":[
    {"name":"side","restartPolicy":"Always","resources":{"requests":{"cpu":"1"}}}],
    "containers":[{"name":"a","resources":{"requests":{"cpu":"2"}}}]})");
  CHECK(spec.requests == ResourceList{{"cpu", 3100}});
}

TEST_CASE("pod_level_resources_win_where_set") {
  const PodSpec spec = spec_of(R"({"resources":{"requests":{"cpu":"8"}},
    "containers":[{"name":"a","resources":{"requests":{"cpu":"2","memory":"1Gi"}}}]})");
  CHECK(spec.requests == ResourceList{{"cpu", 8000}, {"memory", 1 << 30}});
}

TEST_CASE("a_pod_level_limit_stands_in_only_for_what_no_container_asks") {
  const PodSpec spec = spec_of(R"({"resources":{"limits":{"cpu":"8","memory":"1Gi"}},
    "containers":[{"name":"a","resources":{"requests":{"cpu":"2"}}}]})");
  CHECK(spec.requests == ResourceList{{"cpu", 2000}, {"memory", 1 << 30}});
}

TEST_CASE("list_elements_of_another_type_are_refused_with_their_place") {
  CHECK(refusal(R"({"tolerations":[{},3]})") == "spec.tolerations[1]: must be an object, not a number");
  CHECK(refusal(R"({"containers":[null]})") == "spec.containers[0]: must be an object, not null");
  CHECK(refusal(R"({"affinity":{"podAffinity":7}})") ==
        "spec.affinity.podAffinity: must be an object, not a number");
  CHECK(refusal(R"({"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{}]}}})")
            .ends_with("topologyKey: name the node label"));
}

TEST_CASE("anti_affinity_that_looks_into_other_namespaces_is_not_about_siblings") {
  const auto labels = doc(R"({"app":"train"})");
  const std::string head =
      R"({"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
    {"topologyKey":"kubernetes.io/hostname","labelSelector":{"matchLabels":{"app":"train"}})";
  CHECK(spec_of(head + R"(,"namespaces":["other"]}]}}})", &labels).anti_affinity.empty());
  CHECK(spec_of(head + R"(,"namespaceSelector":{}}]}}})", &labels).anti_affinity.empty());
  CHECK(spec_of(head + R"(,"namespaces":null}]}}})", &labels).anti_affinity.size() == 1);
}

TEST_CASE("null_and_zero_quantities_ask_nothing_and_numbers_are_quantities") {
  const PodSpec spec = spec_of(R"({"containers":[{"name":"a","resources":{"requests":
    {"cpu":1.5,"memory":1024,"nvidia.com/gpu":null,"rdma/ib":"0"}}}],"affinity":null,"tolerations":null})");
  CHECK(spec.requests == ResourceList{{"cpu", 1500}, {"memory", 1024}});
}

TEST_CASE("a_quantity_that_is_none_is_refused_with_its_field") {
  CHECK(refusal(R"({"containers":[{"resources":{"limits":{"nvidia.com/gpu":"four"}}}]})")
            .starts_with("spec.containers[0].resources.limits[nvidia.com/gpu]: \"four\" is no quantity"));
  CHECK(refusal(R"({"containers":[{"resources":{"limits":{"cpu":[1]}}}]})").find("not a list") !=
        std::string::npos);
  CHECK(refusal(R"({"containers":{}})") == "spec.containers: must be a list, not an object");
  CHECK(refusal(R"({"nodeSelector":{"a":1}})") == "spec.nodeSelector.a: must be text, not a number");
}

TEST_CASE("affinity_terms_are_read_and_an_unknown_operator_is_refused") {
  const std::string head =
      R"({"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)";
  const PodSpec spec = spec_of(head + R"({"nodeSelectorTerms":[{"matchExpressions":[
    {"key":"zone","operator":"In","values":["a"]}]},{"matchFields":[
    {"key":"metadata.name","operator":"In","values":["n0"]}]}]}}}})");
  CHECK(spec.has_affinity);
  REQUIRE(spec.affinity.size() == 2);
  CHECK(spec.affinity[0].expressions == std::vector<NodeExpression>{{"zone", Operator::kIn, {"a"}}});
  CHECK(spec.affinity[1].fields == std::vector<NodeExpression>{{"metadata.name", Operator::kIn, {"n0"}}});
  CHECK(refusal(head + R"({"nodeSelectorTerms":[{"matchExpressions":[{"key":"a","operator":"Is"}]}]}}}})")
            .find("write In, NotIn, Exists, DoesNotExist, Gt or Lt") != std::string::npos);
}

TEST_CASE("only_anti_affinity_to_pods_like_itself_is_counted") {
  const auto labels = doc(R"({"app":"train"})");
  const std::string spec =
      R"({"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
    {"topologyKey":"kubernetes.io/hostname","labelSelector":{"matchLabels":{"app":"train"}}},
    {"topologyKey":"rack","labelSelector":{"matchExpressions":[{"key":"app","operator":"NotIn","values":["train"]}]}}
    ]}}})";
  CHECK(spec_of(spec, &labels).anti_affinity == std::vector<std::string>{"kubernetes.io/hostname"});
  CHECK(spec_of(spec, &labels).uncounted == std::vector<std::string>{"anti-affinity to other pods"});
  // Without the label it is the other term that selects the pod itself.
  CHECK(spec_of(spec).anti_affinity == std::vector<std::string>{"rack"});
}

TEST_CASE("host_ports_come_from_the_port_or_from_the_host_network") {
  const std::string ports =
      R"("containers":[{"ports":[{"containerPort":80},{"containerPort":1,"hostPort":9}]}])";
  CHECK(spec_of("{" + ports + "}").host_ports == std::vector<HostPort>{{9, "TCP", "0.0.0.0"}});
  CHECK(spec_of(R"({"hostNetwork":true,)" + ports + "}").host_ports.size() == 2);
  CHECK(refusal(R"({"containers":[{"ports":[{"hostPort":70000}]}]})").find("1 to 65535") !=
        std::string::npos);
}

TEST_CASE("a_node_is_read_with_its_state") {
  const auto node = read_node(doc(R"({"metadata":{"name":"n0","labels":{"rack":"r1"}},
    "spec":{"unschedulable":true,"taints":[{"key":"gpu","value":"x","effect":"NoSchedule"}]},
    "status":{"allocatable":{"cpu":"64","pods":"110"},"conditions":[{"type":"Ready","status":"Unknown"}]}})"));
  REQUIRE(node.has_value());
  CHECK(node->name == "n0");
  CHECK(node->labels == StringMap{{"rack", "r1"}});
  CHECK(node->allocatable == ResourceList{{"cpu", 64'000}, {"pods", 110}});
  CHECK(node->unschedulable);
  CHECK_FALSE(node->ready);
  CHECK(node->taints == std::vector<Taint>{{"gpu", "x", TaintEffect::kNoSchedule}});
}

TEST_CASE("a_node_without_conditions_counts_as_ready_and_one_without_a_name_is_refused") {
  CHECK(read_node(doc(R"({"metadata":{"name":"n0"}})"))->ready);
  CHECK(read_node(doc("{}")).error().text() == "metadata.name: a node needs a name");
}

TEST_CASE("a_running_pod_counts_what_it_was_allocated_when_that_is_more") {
  const auto pod = read_pod(doc(R"({"metadata":{"name":"p","namespace":"ns","uid":"u",
    "creationTimestamp":"2026-01-01T00:00:10Z"},
    "spec":{"nodeName":"n0","containers":[{"name":"a","resources":{"requests":{"cpu":"2"}}}]},
    "status":{"phase":"Running","containerStatuses":[{"name":"a","allocatedResources":{"cpu":"6"}}]}})"));
  REQUIRE(pod.has_value());
  CHECK(pod->requests == ResourceList{{"cpu", 6000}});
  CHECK(pod->node_name == "n0");
  CHECK(pod->phase == PodPhase::kRunning);
  CHECK(pod->created == 1'767'225'610);
}

TEST_CASE("a_pod_keeps_only_the_keys_that_identify_it") {
  const auto pod = read_pod(doc(R"({"metadata":{"name":"p","deletionTimestamp":"2026-01-01T00:00:00Z",
    "labels":{"app":"x","training.kubeflow.org/replica-index":"3"},
    "annotations":{"note":"y","kai.scheduler/segment-size":"4"},
    "ownerReferences":[{"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","name":"j","uid":"u","controller":true}]},
    "spec":{"schedulingGates":[{"name":"toposeg.io/waiting"}]}})"));
  REQUIRE(pod.has_value());
  CHECK(pod->labels == StringMap{{"training.kubeflow.org/replica-index", "3"}});
  CHECK(pod->annotations == StringMap{{"kai.scheduler/segment-size", "4"}});
  CHECK(pod->owners == std::vector<OwnerReference>{{"kubeflow.org/v1", "PyTorchJob", "j", "u", true}});
  CHECK(pod->gates == std::vector<std::string>{"toposeg.io/waiting"});
  CHECK(pod->terminating);
}

std::vector<std::string> faults_of(const std::string& levels) {
  const auto topology = read_topology(doc(
      R"({"apiVersion":"kai.scheduler/v1alpha1","metadata":{"name":"t"},"spec":{"levels":)" + levels + "}}"));
  REQUIRE(topology.has_value());
  std::vector<std::string> texts;
  for (const Error& fault : validate_topology(*topology)) texts.push_back(fault.text());
  return texts;
}

TEST_CASE("a_sound_level_list_has_no_faults") {
  CHECK(faults_of(R"([{"nodeLabel":"topology.kubernetes.io/zone","alias":"zone"},{"nodeLabel":"rack"},
    {"nodeLabel":"kubernetes.io/hostname"}])")
            .empty());
}

TEST_CASE("every_fault_of_a_level_list_is_named") {
  CHECK(faults_of("[]").front().starts_with("spec.levels: a topology has 1 to 16 levels"));
  std::string many = "[";
  for (int i = 0; i < 17; ++i)
    many += (i == 0 ? "" : ",") + (R"({"nodeLabel":"l)" + std::to_string(i) + "\"}");
  CHECK(faults_of(many + "]").front().find("this one has 17") != std::string::npos);
  const auto faults =
      faults_of(R"([{"nodeLabel":"kubernetes.io/hostname","alias":"rack"},{"nodeLabel":"rack"},
    {"nodeLabel":"rack"},{"nodeLabel":"not a key"},{}])");
  REQUIRE(faults.size() == 6);
  CHECK(faults[0] ==
        "spec.levels[0].nodeLabel: kubernetes.io/hostname must be the last level: nothing is closer "
        "than a host");
  CHECK(faults[1].starts_with("spec.levels[0].alias: \"rack\" is the label of level 1"));
  CHECK(faults[3].starts_with("spec.levels[2].nodeLabel: \"rack\" is already level 1"));
  CHECK(faults[4].find("is no label key") != std::string::npos);
  CHECK(faults[5].find("a level needs the node label") != std::string::npos);
}

}  // namespace
}  // namespace toposeg::kube
