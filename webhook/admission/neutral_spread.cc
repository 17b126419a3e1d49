#include "webhook/admission/neutral_spread.h"

#include <algorithm>

namespace toposeg::webhook {
namespace {

using json::Document;

bool owned_by_stateful_set(const Document& pod) {
  const Document* owners = json::at(pod, {"metadata", "ownerReferences"});
  if (owners == nullptr || !owners->is_array()) return false;
  return std::any_of(owners->begin(), owners->end(), [](const Document& owner) {
    const std::string* kind = json::text(json::member(&owner, "kind"));
    const Document* controller = json::member(&owner, "controller");
    return kind != nullptr && *kind == "StatefulSet" && controller != nullptr && *controller == true;
  });
}

}  // namespace

bool neutralise_spreading(json::Edit& edit) {
  const json::Path path{"spec", "topologySpreadConstraints"};
  const Document* present = json::at(edit.document(), path);
  if (present != nullptr && !present->is_null() && !present->empty()) return true;
  if (!owned_by_stateful_set(edit.document())) return true;
  return edit.append(path, {{"maxSkew", 1},
                            {"topologyKey", "kubernetes.io/hostname"},
                            {"whenUnsatisfiable", "ScheduleAnyway"},
                            {"labelSelector", {{"matchLabels", {{"toposeg.io/no-such-pod", "true"}}}}}});
}

}  // namespace toposeg::webhook
