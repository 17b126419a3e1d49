#include "common/json/pointer.h"
#include "common/kube/read.h"
#include "webhook/admission/hook.h"

namespace toposeg::webhook {
namespace {

bool is_topology(const Review& review) {
  return review.kind == "Topology" && (review.group == "kai.scheduler" || review.group == "kueue.x-k8s.io");
}

bool same_spec(const json::Document& object, const json::Document* old_object) {
  const json::Document* now = json::member(&object, "spec");
  const json::Document* before = json::member(old_object, "spec");
  return now != nullptr && before != nullptr && *now == *before;
}

}  // namespace

Verdict review_topology(const Review& review, const HookContext& /*context*/) {
  Verdict verdict;
  const json::Document* object = review.object();
  const bool update = review.operation == "UPDATE";
  const bool ours =
      is_topology(review) && review.sub_resource.empty() && (update || review.operation == "CREATE");
  if (!ours || object == nullptr || being_deleted(*object)) {
    verdict.outcome = Outcome::kLeftAlone;
    return verdict;
  }
  if (update && same_spec(*object, review.old_object()))
    return verdict;  // a broken old one stays editable elsewhere
  const auto topology = kube::read_topology(*object);
  if (!topology) {
    verdict.causes.push_back(topology.error());
  } else {
    verdict.causes = kube::validate_topology(*topology);
  }
  if (!verdict.causes.empty()) verdict.outcome = Outcome::kDenied;
  return verdict;
}

}  // namespace toposeg::webhook
