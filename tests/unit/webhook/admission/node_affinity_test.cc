#include "webhook/admission/node_affinity.h"

#include "unit/catch.h"

namespace toposeg::webhook {
namespace {

using json::Document;

const std::vector<std::string> kLevels{"zone", "block", "rack"};
const std::vector<std::string> kPath{"z1", "b1", "r1"};

Document pod_with(const char* affinity) {
  return {{"spec", {{"affinity", Document::parse(affinity)}, {"containers", Document::array()}}}};
}

// Requires `path` on the pod; checks that the patch is sound and that a second pass adds nothing.
Document required(const Document& pod, const std::vector<std::string>& path = {"z1", "b1"}) {
  json::Edit edit(pod);
  REQUIRE(require_domain(edit, kLevels, path));
  const auto operations = edit.verified();
  REQUIRE(operations.has_value());
  const Document result = json::apply(pod, *operations).value();
  json::Edit second(result);
  REQUIRE(require_domain(second, kLevels, path));
  CHECK(second.operations().empty());
  return result;
}

Document terms_of(const Document& pod) {
  const Document* terms =
      json::at(pod, {"spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution",
                     "nodeSelectorTerms"});
  return terms != nullptr ? *terms : Document();
}

Document preferred_of(const Document& pod) {
  const Document* terms =
      json::at(pod, {"spec", "affinity", "nodeAffinity", "preferredDuringSchedulingIgnoredDuringExecution"});
  return terms != nullptr ? *terms : Document();
}

const char* const kZoneAndBlock = R"([
  {"key":"zone","operator":"In","values":["z1"]},{"key":"block","operator":"In","values":["b1"]}])";

TEST_CASE("a_pod_without_affinity_gets_one_term_with_the_whole_path") {
  const Document expected = Document::array({{{"matchExpressions", Document::parse(kZoneAndBlock)}}});
  CHECK(terms_of(required({{"spec", Document::object()}})) == expected);
  CHECK(terms_of(required(pod_with("{}"))) == expected);
  CHECK(terms_of(required(pod_with("null"))) == expected);
  CHECK(terms_of(required(pod_with(R"({"nodeAffinity":null})"))) == expected);
  CHECK(terms_of(required(pod_with(
            R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":null}})"))) == expected);
}

TEST_CASE("an_empty_path_changes_nothing") {
  const Document pod = pod_with("{}");
  CHECK(required(pod, {}) == pod);
}

TEST_CASE("the_domain_goes_into_every_term_of_the_user_and_the_terms_stay") {
  const Document pod = pod_with(R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{
      "nodeSelectorTerms":[
        {"matchExpressions":[{"key":"arch","operator":"In","values":["amd64"]}]},
        {"matchFields":[{"key":"metadata.name","operator":"NotIn","values":["n9"]}]}]}}})");
  const Document terms = terms_of(required(pod));
  REQUIRE(terms.size() == 2);
  CHECK(terms[0]["matchExpressions"].size() == 3);
  CHECK(terms[0]["matchExpressions"][0] ==
        pod["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
           ["nodeSelectorTerms"][0]["matchExpressions"][0]);
  CHECK(terms[1]["matchExpressions"] == Document::parse(kZoneAndBlock));
  CHECK(terms[1]["matchFields"].size() == 1);
}

TEST_CASE("an_expression_that_is_already_there_is_not_repeated") {
  const Document pod = pod_with(R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{
      "nodeSelectorTerms":[{"matchExpressions":[{"values":["z1"],"operator":"In","key":"zone"}]}]}}})");
  CHECK(terms_of(required(pod))[0]["matchExpressions"] == Document::parse(kZoneAndBlock));
}

TEST_CASE("a_contradicting_expression_of_the_user_stays_beside_ours") {
  const Document pod = pod_with(R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{
      "nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In","values":["z2"]}]}]}}})");
  const Document expressions = terms_of(required(pod))[0]["matchExpressions"];
  CHECK(expressions[0]["values"][0] == "z2");
  CHECK(expressions[1]["values"][0] == "z1");
}

TEST_CASE("an_empty_term_matches_no_node_and_stays_empty") {
  const Document pod = pod_with(R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{
      "nodeSelectorTerms":[{},{"matchExpressions":[]},{"matchExpressions":[{"key":"a","operator":"Exists"}]}]}}})");
  const Document terms = terms_of(required(pod));
  CHECK(terms[0] == Document::object());
  CHECK(terms[1]["matchExpressions"].empty());
  CHECK(terms[2]["matchExpressions"].size() == 3);
}

TEST_CASE("a_required_block_without_terms_is_left_to_the_api_server") {
  const Document pod = pod_with(R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{}}})");
  CHECK(required(pod) == pod);
}

TEST_CASE("affinity_of_a_wrong_type_is_reported_and_not_overwritten") {
  for (const char* affinity : {R"("text")", "7", R"({"nodeAffinity":[1]})",
                               R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":"x"}})",
                               R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
                                   {"nodeSelectorTerms":{"a":1}}}})",
                               R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
                                   {"nodeSelectorTerms":["x"]}}})",
                               R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
                                   {"nodeSelectorTerms":[{"matchFields":[1],"matchExpressions":"x"}]}}})"}) {
    INFO(affinity);
    const Document pod = pod_with(affinity);
    json::Edit edit(pod);
    CHECK_FALSE(require_domain(edit, kLevels, kPath));
  }
}

Document preferred(const Document& pod, std::size_t held, const std::string& host,
                   const std::vector<std::string>& levels = kLevels) {
  json::Edit edit(pod);
  REQUIRE(prefer_domain(edit, levels, kPath, held, host));
  const auto operations = edit.verified();
  REQUIRE(operations.has_value());
  const Document result = json::apply(pod, *operations).value();
  json::Edit second(result);
  REQUIRE(prefer_domain(second, levels, kPath, held, host));
  CHECK(second.operations().empty());
  return preferred_of(result);
}

std::vector<int> weights(const Document& terms) {
  std::vector<int> result;
  for (const Document& term : terms) result.push_back(term["weight"].get<int>());
  return result;
}

TEST_CASE("preferences_go_from_the_host_upwards_with_falling_weights") {
  const Document terms = preferred({{"spec", Document::object()}}, 0, "n1");
  CHECK(weights(terms) == std::vector<int>{100, 50, 25, 12});
  CHECK(terms[0]["preference"]["matchExpressions"][0]["key"] == "kubernetes.io/hostname");
  CHECK(terms[1]["preference"]["matchExpressions"].size() == 3);
  CHECK(terms[3]["preference"]["matchExpressions"].size() == 1);
}

TEST_CASE("levels_that_are_required_are_not_preferred_as_well") {
  const Document terms = preferred({{"spec", Document::object()}}, 2, "n1");
  CHECK(weights(terms) == std::vector<int>{100, 50});
}

TEST_CASE("a_path_that_ends_at_the_host_has_no_second_host_term") {
  const Document terms =
      preferred({{"spec", Document::object()}}, 0, "r1", {"zone", "rack", "kubernetes.io/hostname"});
  CHECK(weights(terms) == std::vector<int>{100, 50, 25});
  CHECK(terms[0]["preference"]["matchExpressions"].size() == 3);
}

TEST_CASE("without_a_host_and_a_path_nothing_is_preferred") {
  const Document pod{{"spec", Document::object()}};
  json::Edit edit(pod);
  REQUIRE(prefer_domain(edit, kLevels, {}, 0, ""));
  CHECK(edit.operations().empty());
}

TEST_CASE("the_users_own_preferences_stay_in_front") {
  const Document pod = pod_with(R"({"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[
      {"weight":5,"preference":{"matchExpressions":[{"key":"a","operator":"Exists"}]}}]}})");
  CHECK(weights(preferred(pod, 0, "n1")) == std::vector<int>{5, 100, 50, 25, 12});
}

TEST_CASE("weights_stay_at_least_one_on_sixteen_levels") {
  const std::vector<std::string> levels(16, "level");
  const std::vector<std::string> path(16, "value");
  const Document pod{{"spec", Document::object()}};
  json::Edit edit(pod);
  REQUIRE(prefer_domain(edit, levels, path, 0, "n1"));
  for (const int weight : weights(preferred_of(edit.document()))) {
    CHECK(weight >= 1);
    CHECK(weight <= 100);
  }
}

}  // namespace
}  // namespace toposeg::webhook
