// What nobody should send and somebody will. The reviewer answers, counts, and goes on.
#include "unit/webhook/admission/operators.h"

namespace toposeg::webhook {
namespace {

using testing::Desk;
using testing::Document;
using testing::pytorch_pod;
using testing::rack_job;
using testing::recorded;
using testing::Response;
using testing::review_of;

constexpr std::chrono::seconds kPatience{5};
constexpr Hook kHooks[] = {Hook::kWorkloads, Hook::kPods, Hook::kTopologies};

// The message of the 400 that `body` gets from every hook.
std::string refusal(Desk& desk, const std::string& body) {
  std::string message;
  for (const Hook hook : kHooks) {
    const ReviewAnswer answer = desk.reviewer.review(hook, body, kPatience);
    CHECK(answer.http_status == 400);
    message = Document::parse(answer.body)["message"].get<std::string>();
    CHECK_FALSE(message.empty());
  }
  return message;
}

bool still_works(Desk& desk) {
  return desk.review(Hook::kWorkloads, recorded("pytorchjob-create-kubectl-create")).allowed;
}

TEST_CASE("a_truncated_body_is_refused_wherever_it_ends") {
  Desk desk;
  const std::string whole = recorded("pod-pytorch-worker-3").dump();
  for (std::size_t length = 0; length < whole.size(); length += 97) refusal(desk, whole.substr(0, length));
  CHECK(still_works(desk));
}

TEST_CASE("a_depth_bomb_is_refused") {
  Desk desk;
  CHECK(refusal(desk, std::string(1'000'000, '[')).find("deep") != std::string::npos);
  std::string nested =
      R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u","object":)";
  for (int i = 0; i < 100'000; ++i) nested += R"({"a":)";
  refusal(desk, nested);
  CHECK(still_works(desk));
}

TEST_CASE("a_body_of_seven_mebibytes_and_one_byte_is_refused") {
  Desk desk;
  refusal(desk, std::string((7U << 20U) + 1, ' '));
  CHECK(still_works(desk));
}

TEST_CASE("a_key_that_stands_twice_is_refused_by_name") {
  Desk desk;
  const std::string body =
      R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u","uid":"v"}})";
  CHECK(refusal(desk, body).find("uid") != std::string::npos);
}

TEST_CASE("invalid_utf_8_is_refused") {
  Desk desk;
  refusal(desk, "{\"kind\":\"\xff\xfe\"}");
  CHECK(still_works(desk));
}

TEST_CASE("a_review_of_another_version_is_refused_with_the_right_one") {
  Desk desk;
  Document review = recorded("pytorchjob-create-kubectl-create");
  review["apiVersion"] = "admission.k8s.io/v1beta1";
  const std::string message = refusal(desk, review.dump());
  CHECK(message.find("v1beta1") != std::string::npos);
  CHECK(message.find("[v1]") != std::string::npos);
}

// Every value of `document` below `depth`, one after the other, replaced by each of `odd`.
template <typename Visit>
void with_each_value_replaced(Document& document, Document& part, int depth, const Visit& visit) {
  const Document odd[] = {nullptr,
                          7,
                          -1,
                          1e300,
                          true,
                          "text",
                          "",
                          Document::array(),
                          Document::object(),
                          Document::array({nullptr, 1, "x", Document::object()}),
                          {{"value", 5}, {"name", {{"a", 1}}}}};
  if (!part.is_structured() || depth == 0) return;
  for (Document& child : part) {
    const Document kept = child;
    for (const Document& value : odd) {
      child = value;
      visit(document);
    }
    child = kept;
    with_each_value_replaced(document, child, depth - 1, visit);
  }
}

void survives_any_type_anywhere(Hook hook, const std::string& name) {
  Document review = recorded(name);
  review["request"]["object"]["metadata"].erase("managedFields");
  Desk desk;
  with_each_value_replaced(review, review["request"]["object"], 12, [&](const Document& changed) {
    Document dry = changed;
    dry["request"]["dryRun"] = true;
    desk.review(hook, dry);
  });
  CHECK(desk.metrics_text().find("toposeg_admission_failures_total{") == std::string::npos);
}

TEST_CASE("a_job_with_any_type_anywhere_is_answered_without_a_fault_of_ours") {
  survives_any_type_anywhere(Hook::kWorkloads, "pytorchjob-affinity-create-kubectl-create");
}

TEST_CASE("a_leader_worker_set_with_any_type_anywhere_is_answered_without_a_fault_of_ours") {
  survives_any_type_anywhere(Hook::kWorkloads, "lws-leaderworker-create-kubectl-create-after-lws-webhook");
}

TEST_CASE("a_pod_with_any_type_anywhere_is_answered_and_never_denied") {
  Document review = recorded("pod-pytorch-affinity-worker-0");
  review["request"]["object"]["metadata"].erase("managedFields");
  Desk desk;
  with_each_value_replaced(review, review["request"]["object"], 12, [&](const Document& changed) {
    Document dry = changed;
    dry["request"]["dryRun"] = true;
    CHECK(desk.review(Hook::kPods, dry).allowed);
  });
  CHECK(desk.metrics_text().find("toposeg_admission_failures_total{") == std::string::npos);
}

TEST_CASE("a_number_as_the_value_of_another_annotation_is_kept_as_it_is") {
  Desk desk;
  Document job = rack_job("job", 6, 3, 1);
  job["metadata"]["annotations"] = {{"number", 12345678901234567}, {"real", 1.5}};
  const Response response = desk.review(Hook::kWorkloads, review_of(job));
  CHECK(response.object["metadata"]["annotations"]["number"] == 12345678901234567);
  CHECK(response.object["metadata"]["annotations"]["real"] == 1.5);
}

TEST_CASE("a_workload_whose_annotations_are_a_list_is_not_patched") {
  Desk desk;
  Document job = rack_job("job", 6, 3, 1);
  job["metadata"]["annotations"] = Document::array({1});
  const Response response = desk.review(Hook::kWorkloads, review_of(job));
  CHECK(response.patch.empty());
  if (response.allowed) {
    CHECK_FALSE(response.warnings.empty());
  } else {
    CHECK_FALSE(response.status["details"]["causes"].empty());
  }
}

TEST_CASE("a_pod_whose_affinity_is_a_text_is_allowed_with_a_warning_and_counted") {
  Desk desk;
  Document pod = pytorch_pod(rack_job("job", 6, 3, 1), "worker", 0);
  pod["spec"]["affinity"] = "text";
  const Response response = desk.review(Hook::kPods, review_of(pod));
  CHECK(response.allowed);
  CHECK(response.patch.empty());
  CHECK_FALSE(response.warnings.empty());
  CHECK(desk.metrics_text().find("outcome=\"failed\"") != std::string::npos);
}

}  // namespace
}  // namespace toposeg::webhook
