#include <fmt/format.h>

#include <sstream>
#include <string>
#include <vector>

#include "common/kube/read.h"
#include "unit/catch.h"

namespace toposeg::kube {
namespace {

struct Reading {
  Result<void> done;
  Cluster cluster;
  std::vector<std::string> others;
};

Reading read(const std::string& text, Cluster before = {}) {
  Reading reading{{}, std::move(before), {}};
  std::istringstream input(text);
  reading.done = read_cluster(
      input, "cluster", reading.cluster,
      [&](const std::string& kind, const std::string& name) { reading.others.push_back(kind + "/" + name); });
  return reading;
}

Reading read_fine(const std::string& text) {
  Reading reading = read(text);
  if (!reading.done) FAIL("not read: " + reading.done.error().text());
  return reading;
}

std::string refused(const std::string& text, Cluster before = {}) {
  const Reading reading = read(text, std::move(before));
  REQUIRE_FALSE(reading.done);
  return reading.done.error().text();
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string node(const std::string& name, bool has_kind = true) {
  return fmt::format(R"({{{}"metadata": {{"name": "{}", "labels": {{"env": "prod", "image": "a"}}}},)"
                     R"("status": {{"allocatable": {{"cpu": "8", "pods": "110", "nvidia.com/gpu": "8"}},)"
                     R"("images": [{{"names": ["x"], "sizeBytes": 12}}],)"
                     R"("conditions": [{{"type": "Ready", "status": "True"}}]}}}})",
                     has_kind ? R"("apiVersion": "v1", "kind": "Node", )" : "", name);
}

std::string pod(const std::string& name, const std::string& uid, const std::string& cpu = "2") {
  return fmt::format(
      R"({{"apiVersion": "v1", "kind": "Pod", "metadata": {{"name": "{}", "namespace": "team", "uid": "{}",)"
      R"("managedFields": [{{"manager": "m", "fieldsV1": {{"f:spec": {{"x]}}\"": [1, 2.5, null]}}}}}}]}},)"
      R"("spec": {{"nodeName": "n1", "containers": [{{"name": "c", "env": [{{"name": "A", "value": "}}]"}}],)"
      R"("args": ["{{"], "resources": {{"requests": {{"cpu": "{}"}}}}}}]}}, "status": {{"phase": "Running"}}}})",
      name, uid, cpu);
}

std::string topology(const std::string& group = "kai.scheduler/v1alpha1") {
  return fmt::format(
      R"({{"apiVersion": "{}", "kind": "Topology", "metadata": {{"name": "t"}},)"
      R"("spec": {{"levels": [{{"nodeLabel": "zone"}}, {{"nodeLabel": "kubernetes.io/hostname"}}]}}}})",
      group);
}

TEST_CASE("what_kubectl_prints_as_json_is_read_with_the_kind_after_the_items") {
  const Reading reading =
      read_fine(fmt::format("{{\"apiVersion\": \"v1\",\n\"items\": [\n{},\n{},\n{}],\n\"kind\": \"List\",\n"
                            "\"metadata\": {{\"resourceVersion\": \"\"}}}}\n",
                            node("n1"), pod("p", "u"), topology()));
  REQUIRE(reading.cluster.nodes.size() == 1);
  CHECK(reading.cluster.nodes[0].name == "n1");
  CHECK(reading.cluster.nodes[0].ready);
  REQUIRE(reading.cluster.pods.size() == 1);
  CHECK(reading.cluster.pods[0].node_name == "n1");
  CHECK(*find(reading.cluster.pods[0].requests, "cpu") == 2000);
  REQUIRE(reading.cluster.topologies.size() == 1);
  CHECK(reading.cluster.topologies[0].levels.size() == 2);
  CHECK(reading.others.empty());
}

TEST_CASE("labels_that_are_named_like_dropped_fields_are_kept") {
  const Reading reading = read_fine(node("n1"));
  CHECK(*find(reading.cluster.nodes.at(0).labels, "env") == "prod");
  CHECK(*find(reading.cluster.nodes.at(0).labels, "image") == "a");
}

TEST_CASE("json_and_yaml_give_the_same_records") {
  const std::string yaml =
      "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: n1\n    labels:\n"
      "      env: prod\n      image: a\n  status:\n    allocatable:\n      cpu: \"8\"\n      pods: \"110\"\n"
      "      nvidia.com/gpu: \"8\"\n    conditions:\n    - type: Ready\n      status: \"True\"\n"
      "kind: List\nmetadata:\n  resourceVersion: \"\"\n";
  CHECK(read_fine(yaml).cluster.nodes == read_fine(node("n1")).cluster.nodes);
}

TEST_CASE("typed_lists_give_their_items_a_kind_before_or_after_them") {
  const std::string items = fmt::format("\"items\": [{}, {}]", node("n1", false), node("n2", false));
  const std::string kind = R"("kind": "NodeList", "apiVersion": "v1")";
  CHECK(read_fine("{" + kind + "," + items + "}").cluster.nodes.size() == 2);
  CHECK(read_fine("{" + items + "," + kind + "}").cluster.nodes.size() == 2);
  CHECK(read_fine("kind: NodeList\napiVersion: v1\nitems:\n- " + node("n1", false) + "\n")
            .cluster.nodes.size() == 1);
  CHECK(holds(refused("{" + items + R"(, "kind": "List"})"), "cluster:1: the object \"n1\" has no kind"));
}

TEST_CASE("objects_of_other_kinds_are_handed_on_whole_but_for_what_is_never_read") {
  std::istringstream input(R"({"kind": "List", "items": [)" + node("n1") + R"(,
    {"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": {"name": "train", "managedFields": [1],
     "annotations": {"image": "kept"}}, "spec": {"pytorchReplicaSpecs": {"Worker": {"replicas": 4}}}}]})");
  Cluster cluster;
  std::vector<json::Document> others;
  const auto done = read_cluster_and_others(input, "cluster", cluster,
                                            [&](const json::Document& object) { others.push_back(object); });
  REQUIRE(done);
  CHECK(cluster.nodes.size() == 1);
  REQUIRE(others.size() == 1);
  CHECK(others[0]["spec"]["pytorchReplicaSpecs"]["Worker"]["replicas"] == 4);
  CHECK(others[0]["metadata"] == json::Document{{"name", "train"}, {"annotations", {{"image", "kept"}}}});
}

TEST_CASE("several_documents_bare_objects_and_nested_lists_are_read") {
  CHECK(read_fine(node("n1") + "\n" + node("n2")).cluster.nodes.size() == 2);
  CHECK(read_fine(node("n1") + "\n---\n" + node("n2") + "\n").cluster.nodes.size() == 2);
  CHECK(read_fine("---\n" + node("n1") + "\n---\n---\n" + node("n2") + "\n").cluster.nodes.size() == 2);
  CHECK(read_fine("[" + node("n1") + "," + node("n2") + "]").cluster.nodes.size() == 2);
  CHECK(read_fine(R"({"kind": "List", "items": [{"kind": "List", "items": [)" + node("n1") + "]}, null]}")
            .cluster.nodes.size() == 1);
  CHECK(read_fine("").cluster.nodes.empty());
  CHECK(read_fine(R"({"kind": "List", "apiVersion": "v1", "items": []})").cluster.nodes.empty());
}

TEST_CASE("objects_of_other_kinds_are_noted_and_skipped") {
  const Reading reading = read_fine(
      R"({"kind": "List", "items": [{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}},)" +
      topology("example.com/v1") + "," + node("n1") + "]}");
  CHECK(reading.others == std::vector<std::string>{"Secret/s", "Topology/t"});
  CHECK(reading.cluster.nodes.size() == 1);
  CHECK(reading.cluster.topologies.empty());
  CHECK(read_fine(topology("kueue.x-k8s.io/v1beta1")).cluster.topologies.at(0).api_group == "kueue.x-k8s.io");
}

TEST_CASE("a_node_or_topology_given_twice_is_refused_also_over_two_files") {
  CHECK(refused(node("n1") + "\n" + node("n1")) == "cluster:2: Node n1 appears twice; give each object once");
  CHECK(refused(topology() + "\n" + topology()) ==
        "cluster:2: Topology t appears twice; give each object once");
  CHECK(read_fine(topology("kueue.x-k8s.io/v1beta1") + "\n" + topology()).cluster.topologies.size() == 2);
  Cluster before;
  before.nodes.emplace_back().name = "n1";
  CHECK(refused(node("n1"), before) == "cluster:1: Node n1 appears twice; give each object once");
}

TEST_CASE("of_topologies_of_one_name_the_one_of_kai_counts") {
  const auto read = read_fine(topology("kueue.x-k8s.io/v1beta1") + "\n" + topology()).cluster.topologies;
  const auto counting = counting_topologies(read);
  REQUIRE(counting.size() == 1);
  CHECK(counting.front().api_group == "kai.scheduler");
}

TEST_CASE("a_pod_listed_again_replaces_itself_and_another_of_its_name_is_refused") {
  const Reading reading = read_fine(pod("p", "u1") + "\n" + pod("q", "u2") + "\n" + pod("p", "u1", "3"));
  REQUIRE(reading.cluster.pods.size() == 2);
  CHECK(*find(reading.cluster.pods[0].requests, "cpu") == 3000);
  CHECK(refused(pod("p", "u1") + "\n" + pod("p", "u2")) ==
        "cluster:2: Pod team/p appears twice; give each object once");
  CHECK(holds(refused(pod("p", "") + "\n" + pod("p", "")), "appears twice"));
}

TEST_CASE("a_wrong_object_is_named_with_the_line_where_it_starts") {
  const std::string text =
      "{\"kind\": \"List\",\n\"items\": [\n" + node("n1") + ",\n" + pod("p", "u", "much") + "]}";
  const std::string message = refused(text);
  CHECK(holds(message, "cluster:4: Pod team/p: "));
  CHECK(holds(message, "much"));
  CHECK(holds(refused("- 1\n"), "cluster:1: a number stands where a Kubernetes object should"));
  CHECK(holds(refused("{\"kind\": \"List\", \"items\": [\n\"x\"]}"), "cluster:2: a string stands where"));
  CHECK(holds(refused("a: 1\n"), "cluster:1: this object has no kind"));
}

TEST_CASE("truncated_files_are_refused_with_the_line_of_the_end") {
  const std::string whole =
      "{\"kind\": \"List\",\n\"items\": [\n" + node("n1") + ",\n" + pod("p", "u") + "]}";
  for (const std::size_t cut : {std::size_t{1}, std::size_t{20}, whole.size() / 2, whole.size() - 1}) {
    INFO(cut);
    const std::string message = refused(whole.substr(0, cut));
    CHECK(holds(message, "not valid JSON: "));
    CHECK(holds(message, cut == 20 ? "missing closing quote" : "unexpected end of input"));
  }
  const auto env = whole.find("\"env\": [{\"name\"");
  CHECK(holds(refused(whole.substr(0, env + 12)), "cluster:4: "));
}

TEST_CASE("malformed_json_is_refused_with_its_line") {
  CHECK(holds(refused("{\"kind\": \"List\",\n\"items\": [\n{,}]}"), "cluster:3: not valid JSON: "));
  CHECK(holds(refused("{\"kind\": \"A\",\n\"kind\": \"B\"}"), "cluster:2: key \"kind\" appears twice"));
  CHECK(holds(refused("{\"kind\": \"A\",\n\"x\": 99999999999999999999}"),
              "cluster:2: 99999999999999999999 is"));
  CHECK(holds(refused("{\"kind\":\n\"\xff\"}"), "cluster:2: the text is not valid UTF-8"));
  CHECK(holds(refused(std::string("{\"kind\":\n\0\"A\"}", 14)), "cluster:2: a NUL byte"));
  CHECK(holds(refused("{\"a\":" + std::string(70, '[')), "nested deeper than 64 levels"));
  CHECK(holds(refused("{\"command\":" + std::string(70, '[')), "nested deeper than 64 levels"));
}

TEST_CASE("an_object_beyond_the_limit_is_too_large_and_many_small_ones_are_not") {
  const std::string filler(9U << 20U, 'x');
  const Reading large = read(R"({"kind": "A", "x": ")" + filler + "\"}");
  REQUIRE_FALSE(large.done);
  CHECK(large.done.error().code == Code::kTooLarge);
  CHECK(holds(large.done.error().message, "one object takes more than 8388608 bytes"));
  const std::string item =
      R"({"kind": "A", "metadata": {"name": "a"}, "x": ")" + filler.substr(0, 1U << 20U) + "\"}";
  std::string list = R"({"kind": "List", "items": [)" + item;
  for (int i = 0; i < 11; ++i) list += "," + item;
  CHECK(read_fine(list + "]}").others.size() == 12);
}

TEST_CASE("too_many_items_that_wait_for_their_kind_are_refused") {
  std::string list = "{\"items\": [{}";
  for (int i = 0; i < 2'000; ++i) list += ",{}";
  CHECK(holds(refused(list + R"(], "kind": "NodeList"})"), "put \"kind\" before \"items\""));
}

}  // namespace
}  // namespace toposeg::kube
