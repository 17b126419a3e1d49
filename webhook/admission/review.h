// The envelope: an AdmissionReview (admission.k8s.io/v1) in, an AdmissionReview out. The rules of the answer
// are those that the API server checks: the uid echoed, `patch` and `patchType` together or not at all, a
// status on denial.
//
//   auto review = decode_review(body);
//   if (!review) return {400, refusal_text(review.error())};
//   Verdict verdict = …;
//   return {200, answer_text(*review, verdict)};
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/json/decode.h"
#include "common/workload/normalise.h"
#include "engine/placement/engine.h"

namespace toposeg::webhook {

struct Review {
  json::Document document;  // the whole review
  std::string uid;
  std::string group;  // of the object as sent to us: request.kind
  std::string kind;
  std::string operation;  // CREATE, UPDATE, DELETE, CONNECT
  std::string sub_resource;
  std::string namespace_;
  std::string name;  // empty with generateName
  workload::Requester requester;
  bool dry_run = false;

  // Null when absent, JSON null or no JSON object.
  [[nodiscard]] const json::Document* object() const;
  [[nodiscard]] json::Document* object();
  [[nodiscard]] const json::Document* old_object() const;
};

enum class Outcome : std::uint8_t {
  kUnchanged,  // allowed, nothing to add
  kPatched,
  kLeftAlone,  // not ours: another kind, operation, scheduler …
  kDenied,
  kFailed,  // a fault on our side: allowed without a patch
};

struct Verdict {
  Outcome outcome = Outcome::kUnchanged;
  json::Document patch = json::Document::array();  // proved operations; empty = none
  std::vector<std::string> warnings;               // each at most kWarningLength bytes
  std::vector<Error> causes;                       // why it is denied; empty unless kDenied
  std::vector<std::pair<std::string, std::string>> audit;
  std::optional<engine::PodDecision> decision;  // of a pod that was decided on

  [[nodiscard]] bool allowed() const { return outcome != Outcome::kDenied; }
};

// kTooLarge or kInvalid: no JSON within the limits, another kind or version, no request or no uid.
[[nodiscard]] Result<Review> decode_review(std::string_view body);

// The answer as JSON text.
[[nodiscard]] std::string answer_text(const Review& review, const Verdict& verdict);

// A Status-like object for a body that is no review.
[[nodiscard]] std::string refusal_text(const Error& error);

// True when the object is on its way out: such an UPDATE only drops finalizers and must pass.
[[nodiscard]] bool being_deleted(const json::Document& object);

}  // namespace toposeg::webhook
