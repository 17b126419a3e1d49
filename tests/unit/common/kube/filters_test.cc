#include "common/kube/filters.h"

#include "unit/catch.h"

namespace toposeg::kube {
namespace {

Node node_with(StringMap labels) {
  Node node;
  node.name = "n0";
  node.labels = std::move(labels);
  return node;
}

PodSpec pod_with(NodeExpression expression) {
  PodSpec pod;
  pod.has_affinity = true;
  pod.affinity = {{{std::move(expression)}, {}}};
  return pod;
}

TEST_CASE("all_six_operators_match_as_the_scheduler_does") {
  const StringMap labels = {{"gpus", "8"}, {"zone", "a"}};
  CHECK(matches({"zone", Operator::kIn, {"a", "b"}}, labels));
  CHECK_FALSE(matches({"zone", Operator::kIn, {"b"}}, labels));
  CHECK_FALSE(matches({"rack", Operator::kIn, {"b"}}, labels));
  CHECK(matches({"zone", Operator::kNotIn, {"b"}}, labels));
  CHECK_FALSE(matches({"zone", Operator::kNotIn, {"a"}}, labels));
  CHECK(matches({"rack", Operator::kNotIn, {"a"}}, labels));
  CHECK(matches({"zone", Operator::kExists, {}}, labels));
  CHECK_FALSE(matches({"rack", Operator::kExists, {}}, labels));
  CHECK(matches({"rack", Operator::kDoesNotExist, {}}, labels));
  CHECK_FALSE(matches({"zone", Operator::kDoesNotExist, {}}, labels));
  CHECK(matches({"gpus", Operator::kGt, {"7"}}, labels));
  CHECK_FALSE(matches({"gpus", Operator::kGt, {"8"}}, labels));
  CHECK(matches({"gpus", Operator::kLt, {"9"}}, labels));
  CHECK_FALSE(matches({"zone", Operator::kGt, {"7"}}, labels));
  CHECK_FALSE(matches({"gpus", Operator::kGt, {"seven"}}, labels));
}

TEST_CASE("terms_are_ored_and_their_expressions_anded") {
  const Node node = node_with({{"rack", "r1"}, {"zone", "a"}});
  PodSpec pod = pod_with({"zone", Operator::kIn, {"b"}});
  CHECK_FALSE(matches_affinity(pod, node));
  pod.affinity.push_back({{{"rack", Operator::kIn, {"r1"}}, {"zone", Operator::kIn, {"a"}}}, {}});
  CHECK(matches_affinity(pod, node));
  pod.affinity.back().expressions.push_back({"zone", Operator::kDoesNotExist, {}});
  CHECK_FALSE(matches_affinity(pod, node));
}

TEST_CASE("an_empty_term_and_a_required_block_without_terms_match_nothing") {
  PodSpec pod;
  CHECK(matches_affinity(pod, node_with({})));
  pod.has_affinity = true;
  CHECK_FALSE(matches_affinity(pod, node_with({})));
  pod.affinity = {{}};
  CHECK_FALSE(matches_affinity(pod, node_with({})));
}

TEST_CASE("match_fields_select_by_node_name") {
  PodSpec pod;
  pod.has_affinity = true;
  pod.affinity = {{{}, {{"metadata.name", Operator::kIn, {"n0"}}}}};
  CHECK(matches_affinity(pod, node_with({})));
  pod.affinity.front().fields.front().op = Operator::kNotIn;
  CHECK_FALSE(matches_affinity(pod, node_with({})));
}

TEST_CASE("only_hard_taints_that_are_not_tolerated_keep_a_pod_away") {
  Node node = node_with({});
  node.taints = {{"soft", "", TaintEffect::kPreferNoSchedule}, {"gpu", "yes", TaintEffect::kNoSchedule}};
  PodSpec pod;
  REQUIRE(untolerated_taint(pod, node) != nullptr);
  CHECK(to_text(*untolerated_taint(pod, node)) == "gpu=yes:NoSchedule");
  pod.tolerations = {{"gpu", "no", false, std::nullopt}};
  CHECK(untolerated_taint(pod, node) != nullptr);
  pod.tolerations = {{"gpu", "yes", false, TaintEffect::kNoExecute}};
  CHECK(untolerated_taint(pod, node) != nullptr);
  pod.tolerations = {{"gpu", "yes", false, std::nullopt}};
  CHECK(untolerated_taint(pod, node) == nullptr);
  pod.tolerations = {{"", "", true, std::nullopt}};
  CHECK(untolerated_taint(pod, node) == nullptr);
}

TEST_CASE("a_cordoned_node_takes_only_pods_that_tolerate_it") {
  Node node = node_with({});
  PodSpec pod;
  CHECK_FALSE(cordoned_for(pod, node));
  node.unschedulable = true;
  CHECK(cordoned_for(pod, node));
  pod.tolerations = {{"node.kubernetes.io/unschedulable", "", true, std::nullopt}};
  CHECK_FALSE(cordoned_for(pod, node));
}

TEST_CASE("taints_that_kubernetes_sets_itself_tell_of_health_and_others_do_not") {
  CHECK(tells_of_health({"node.kubernetes.io/unreachable", "", TaintEffect::kNoExecute}));
  CHECK(tells_of_health({"node.cloudprovider.kubernetes.io/shutdown", "", TaintEffect::kNoSchedule}));
  CHECK_FALSE(tells_of_health({"nvidia.com/gpu", "present", TaintEffect::kNoSchedule}));
  CHECK_FALSE(tells_of_health({"node.kubernetes.iox/a", "", TaintEffect::kNoSchedule}));
}

TEST_CASE("host_ports_conflict_on_equal_or_wildcard_addresses") {
  CHECK(ports_conflict({{80, "TCP", "0.0.0.0"}}, {{80, "TCP", "10.0.0.1"}}));
  CHECK(ports_conflict({{80, "TCP", "10.0.0.1"}}, {{80, "TCP", "10.0.0.1"}}));
  CHECK_FALSE(ports_conflict({{80, "TCP", "10.0.0.2"}}, {{80, "TCP", "10.0.0.1"}}));
  CHECK_FALSE(ports_conflict({{80, "UDP", "0.0.0.0"}}, {{80, "TCP", "0.0.0.0"}}));
  CHECK_FALSE(ports_conflict({{81, "TCP", "0.0.0.0"}}, {{80, "TCP", "0.0.0.0"}}));
}

TEST_CASE("a_node_selector_needs_every_label_with_its_value") {
  PodSpec pod;
  pod.node_selector = {{"rack", "r1"}, {"zone", "a"}};
  CHECK(matches_selector(pod, node_with({{"rack", "r1"}, {"zone", "a"}})));
  CHECK_FALSE(matches_selector(pod, node_with({{"rack", "r2"}, {"zone", "a"}})));
  CHECK_FALSE(matches_selector(pod, node_with({{"zone", "a"}})));
}

}  // namespace
}  // namespace toposeg::kube
