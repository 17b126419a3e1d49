#include "webhook/admission/review.h"

#include <utility>

#include "common/json/pointer.h"
#include "webhook/admission/base64.h"

namespace toposeg::webhook {
namespace {

using json::Document;

constexpr std::string_view kReviewVersion = "admission.k8s.io/v1";

const Document* object_of(const Document& document, std::string_view key) {
  const Document* value = json::member(json::member(&document, "request"), key);
  return value != nullptr && value->is_object() ? value : nullptr;
}

workload::Requester requester_of(const Document* request) {
  workload::Requester requester;
  const Document* user = json::member(request, "userInfo");
  requester.user = json::member_text(user, "username");
  if (const Document* groups = json::member(user, "groups"); groups != nullptr && groups->is_array()) {
    for (const Document& group : *groups) {
      if (const std::string* name = json::text(&group)) requester.groups.push_back(*name);
    }
  }
  requester.field_manager = json::member_text(json::member(request, "options"), "fieldManager");
  return requester;
}

// The status that goes with a denial: things the user has to edit are Invalid, a lack of room is Forbidden,
// because a later try may succeed with the same object.
std::pair<int, std::string_view> status_of(const std::vector<Error>& causes) {
  for (const Error& cause : causes) {
    if (cause.code != Code::kUnfit) return {422, "Invalid"};
  }
  return {403, "Forbidden"};
}

Document status_document(const Review& review, const std::vector<Error>& causes) {
  const auto [code, reason] = status_of(causes);
  std::string message;
  Document details = Document::array();
  for (const Error& cause : causes) {
    if (!message.empty()) message += "; ";
    message += cause.text();
    details.push_back({{"reason", "FieldValueInvalid"}, {"message", cause.message}, {"field", cause.where}});
  }
  return {{"status", "Failure"},
          {"code", code},
          {"reason", reason},
          {"message", message},
          {"details",
           {{"group", review.group}, {"kind", review.kind}, {"name", review.name}, {"causes", details}}}};
}

std::string to_text(const Document& document) {
  return document.dump(-1, ' ', false, Document::error_handler_t::replace);
}

}  // namespace

const Document* Review::object() const { return object_of(document, "object"); }
Document* Review::object() { return const_cast<Document*>(std::as_const(*this).object()); }
const Document* Review::old_object() const { return object_of(document, "oldObject"); }

Result<Review> decode_review(std::string_view body) {
  auto document = json::decode(body);
  if (!document) return std::unexpected(document.error());
  const std::string kind = json::member_text(&*document, "kind");
  if (kind != "AdmissionReview") {
    return fail(
        Code::kInvalid,
        "\"" + kind + "\" is no AdmissionReview; send an AdmissionReview of " + std::string(kReviewVersion),
        "kind");
  }
  const std::string version = json::member_text(&*document, "apiVersion");
  if (version != kReviewVersion) {
    return fail(Code::kInvalid,
                "\"" + version + "\" is not supported; register the webhook with " +
                    "admissionReviewVersions: [v1] (" + std::string(kReviewVersion) + ")",
                "apiVersion");
  }
  const Document* request = json::member(&*document, "request");
  if (request == nullptr || !request->is_object()) {
    return fail(Code::kInvalid, "is missing; a review without a request cannot be answered", "request");
  }
  Review review;
  review.uid = json::member_text(request, "uid");
  if (review.uid.empty()) {
    return fail(Code::kInvalid, "is missing; the answer has to repeat it", "request.uid");
  }
  review.group = json::member_text(json::member(request, "kind"), "group");
  review.kind = json::member_text(json::member(request, "kind"), "kind");
  review.operation = json::member_text(request, "operation");
  review.sub_resource = json::member_text(request, "subResource");
  review.namespace_ = json::member_text(request, "namespace");
  review.name = json::member_text(request, "name");
  review.requester = requester_of(request);
  const Document* dry_run = json::member(request, "dryRun");
  review.dry_run = dry_run != nullptr && dry_run->is_boolean() && dry_run->get<bool>();
  review.document = std::move(*document);
  return review;
}

std::string answer_text(const Review& review, const Verdict& verdict) {
  Document response{{"uid", review.uid}, {"allowed", verdict.allowed()}};
  if (!verdict.allowed()) response["status"] = status_document(review, verdict.causes);
  if (verdict.allowed() && !verdict.patch.empty()) {
    response["patch"] = encode_base64(to_text(verdict.patch));
    response["patchType"] = "JSONPatch";
  }
  if (!verdict.warnings.empty()) response["warnings"] = verdict.warnings;
  for (const auto& [key, value] : verdict.audit) response["auditAnnotations"][key] = value;
  return to_text(
      {{"apiVersion", kReviewVersion}, {"kind", "AdmissionReview"}, {"response", std::move(response)}});
}

std::string refusal_text(const Error& error) {
  const int code = error.code == Code::kTooLarge ? 413 : 400;
  return to_text({{"apiVersion", "v1"},
                  {"kind", "Status"},
                  {"status", "Failure"},
                  {"code", code},
                  {"reason", "BadRequest"},
                  {"message", error.text()}});
}

bool being_deleted(const Document& object) {
  return json::member(json::member(&object, "metadata"), "deletionTimestamp") != nullptr;
}

}  // namespace toposeg::webhook
