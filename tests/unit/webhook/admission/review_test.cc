#include "webhook/admission/review.h"

#include <set>
#include <vector>

#include "common/json/pointer.h"
#include "unit/catch.h"
#include "webhook/admission/base64.h"
#include "webhook/admission/decision_id.h"

namespace toposeg::webhook {
namespace {

using json::Document;

Document example() {
  return Document::parse(R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{
      "uid":"u-1","kind":{"group":"g","version":"v1","kind":"Thing"},"operation":"CREATE","namespace":"team",
      "name":"thing","userInfo":{"username":"ada","groups":["staff"]},"dryRun":true,
      "options":{"fieldManager":"kubectl-create"},"object":{"metadata":{"name":"thing"}},"oldObject":null}})");
}

std::string refusal(const std::string& body) {
  const auto review = decode_review(body);
  REQUIRE_FALSE(review.has_value());
  return review.error().text();
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("a_review_gives_user_options_and_objects") {
  const Review review = decode_review(example().dump()).value();
  CHECK(review.uid == "u-1");
  CHECK(review.kind == "Thing");
  CHECK(review.group == "g");
  CHECK(review.namespace_ == "team");
  CHECK(review.requester.user == "ada");
  CHECK(review.requester.groups == std::vector<std::string>{"staff"});
  CHECK(review.requester.field_manager == "kubectl-create");
  CHECK(review.dry_run);
  REQUIRE(review.object() != nullptr);
  CHECK(review.old_object() == nullptr);
}

TEST_CASE("a_body_that_is_no_review_of_version_1_is_refused_with_what_is_right") {
  Document review = example();
  review["apiVersion"] = "admission.k8s.io/v1beta1";
  CHECK(holds(refusal(review.dump()), "admission.k8s.io/v1beta1"));
  CHECK(holds(refusal(review.dump()), "admissionReviewVersions: [v1]"));
  review = example();
  review["kind"] = "Pod";
  CHECK(holds(refusal(review.dump()), "\"Pod\" is no AdmissionReview"));
  review = example();
  review.erase("request");
  CHECK(holds(refusal(review.dump()), "request: is missing"));
  review = example();
  review["request"]["uid"] = 7;
  CHECK(holds(refusal(review.dump()), "request.uid: is missing"));
  CHECK_FALSE(refusal("[]").empty());
  CHECK_FALSE(refusal("").empty());
}

TEST_CASE("odd_types_inside_the_request_count_as_absent") {
  Document review = example();
  review["request"]["object"] = "text";
  review["request"]["userInfo"] = 5;
  review["request"]["dryRun"] = "yes";
  review["request"]["options"] = nullptr;
  const Review decoded = decode_review(review.dump()).value();
  CHECK(decoded.object() == nullptr);
  CHECK(decoded.requester.user.empty());
  CHECK_FALSE(decoded.dry_run);
}

TEST_CASE("an_answer_without_changes_has_neither_patch_nor_patch_type") {
  const Review review = decode_review(example().dump()).value();
  const Document answer = Document::parse(answer_text(review, Verdict{}));
  CHECK(answer["apiVersion"] == "admission.k8s.io/v1");
  CHECK(answer["kind"] == "AdmissionReview");
  CHECK(answer["response"] == Document{{"uid", "u-1"}, {"allowed", true}});
}

TEST_CASE("an_answer_with_changes_has_patch_and_patch_type") {
  const Review review = decode_review(example().dump()).value();
  Verdict verdict;
  verdict.patch.push_back({{"op", "add"}, {"path", "/a"}, {"value", 1}});
  verdict.warnings = {"careful"};
  verdict.audit = {{"decision", "abc"}};
  const Document response = Document::parse(answer_text(review, verdict))["response"];
  CHECK(response["patchType"] == "JSONPatch");
  CHECK(Document::parse(decode_base64(response["patch"].get<std::string>()).value()) == verdict.patch);
  CHECK(response["warnings"] == Document::array({"careful"}));
  CHECK(response["auditAnnotations"] == Document{{"decision", "abc"}});
}

TEST_CASE("a_denial_lists_every_cause_with_its_field_and_no_patch") {
  const Review review = decode_review(example().dump()).value();
  Verdict verdict;
  verdict.outcome = Outcome::kDenied;
  verdict.patch.push_back(1);
  verdict.causes = {{Code::kInvalid, "too big", "spec.a"}, {Code::kInvalid, "too small", "spec.b"}};
  const Document response = Document::parse(answer_text(review, verdict))["response"];
  CHECK(response["allowed"] == false);
  CHECK_FALSE(response.contains("patch"));
  CHECK(response["status"]["code"] == 422);
  CHECK(response["status"]["reason"] == "Invalid");
  CHECK(response["status"]["message"] == "spec.a: too big; spec.b: too small");
  CHECK(response["status"]["details"]["causes"][1]["field"] == "spec.b");
}

TEST_CASE("a_denial_for_lack_of_room_is_forbidden_not_invalid") {
  const Review review = decode_review(example().dump()).value();
  Verdict verdict;
  verdict.outcome = Outcome::kDenied;
  verdict.causes = {{Code::kUnfit, "no rack holds 4 pods", {}}};
  const Document status = Document::parse(answer_text(review, verdict))["response"]["status"];
  CHECK(status["code"] == 403);
  CHECK(status["reason"] == "Forbidden");
}

std::string id_of(const Document& review) { return decision_id(decode_review(review.dump()).value()); }

TEST_CASE("a_decision_id_depends_on_the_object_and_not_on_the_round_trip") {
  Document again = example();
  again["request"]["uid"] = "u-2";
  again["request"]["object"]["metadata"]["managedFields"] = Document::array({1});
  CHECK(id_of(again) == id_of(example()));
  CHECK(id_of(example()).size() == 16);
  Document other = example();
  other["request"]["object"]["metadata"]["labels"] = {{"a", "b"}};
  CHECK(id_of(other) != id_of(example()));
  other = example();
  other["request"]["operation"] = "UPDATE";
  CHECK(id_of(other) != id_of(example()));
}

TEST_CASE("a_decision_id_tells_values_apart_that_read_alike") {
  const auto id_with = [](Document spec) {
    Document review = example();
    review["request"]["object"]["spec"] = std::move(spec);
    return id_of(review);
  };
  const std::vector<Document> specs = {nullptr,
                                       true,
                                       "t",
                                       1,
                                       -1,
                                       1.0,
                                       "1",
                                       Document::array(),
                                       Document::object(),
                                       {{"a", "b"}},
                                       {{"ab", ""}},
                                       {{"a", {"b"}}},
                                       {{"a", {{"b", nullptr}}}},
                                       Document::array({"a", "b"}),
                                       Document::array({Document::array({"a"}), "b"})};
  std::set<std::string> ids;
  for (const Document& spec : specs) ids.insert(id_with(spec));
  CHECK(ids.size() == specs.size());
}

}  // namespace
}  // namespace toposeg::webhook
