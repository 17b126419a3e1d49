#include "webhook/admission/pod_metadata.h"

#include "common/workload/keys.h"

namespace toposeg::webhook {
namespace {

namespace keys = workload::keys;

json::Path annotation(std::string_view key) { return {"metadata", "annotations", std::string(key)}; }

bool annotate(json::Edit& edit, std::string_view key, const std::string& value) {
  return value.empty() || edit.set(annotation(key), value);
}

std::string domain_text(const engine::PodDecision& decision) {
  const auto& path = decision.preferred.empty() ? decision.required : decision.preferred;
  return path.empty() ? std::string() : json::Document(path).dump();
}

std::string level_text(const engine::PodDecision& decision) {
  if (!decision.level || *decision.level < 0) return {};
  const auto level = static_cast<std::size_t>(*decision.level);
  return level < decision.levels.size() ? decision.levels[level] : std::string();
}

bool describe_segment(json::Edit& edit, const engine::PodDecision& decision) {
  if (!decision.segment) return true;
  const std::string text = std::to_string(*decision.segment);
  return annotate(edit, keys::kSegment, text) &&
         edit.set({"metadata", "labels", std::string(keys::kSegment)}, text);
}

}  // namespace

bool describe_place(json::Edit& edit, const engine::PodDecision& decision) {
  if (!describe_segment(edit, decision)) return false;
  if (decision.status == engine::SegmentStatus::kWaiting)
    return annotate(edit, keys::kReason, decision.reason);
  if (json::at(edit.document(), annotation(keys::kReason)) != nullptr &&
      !edit.remove(annotation(keys::kReason))) {
    return false;
  }
  return annotate(edit, keys::kDomain, domain_text(decision)) &&
         annotate(edit, keys::kLevel, level_text(decision)) && annotate(edit, keys::kHost, decision.host);
}

}  // namespace toposeg::webhook
