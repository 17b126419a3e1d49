#include "webhook/waiting/announcer.h"

#include <fmt/format.h>

#include "common/base/text.h"
#include "common/json/pointer.h"
#include "common/workload/keys.h"
#include "webhook/admission/plan_annotation.h"
#include "webhook/waiting/segment_name.h"

namespace toposeg::webhook {
namespace {

using engine::SegmentStatus;

kube_api::ObjectReference reference(const workload::Identity& identity, std::string api_version) {
  return {std::move(api_version), identity.kind, identity.namespace_, identity.name, identity.uid};
}

// "8 segments: 6 placed, 2 wait".
std::string sentence(const PlanSummary& plan) {
  int placed = 0;
  int waiting = 0;
  int free = 0;
  for (const GroupSummary& group : plan.groups) {
    for (const SegmentSummary& segment : group.segments) {
      placed += segment.status == SegmentStatus::kPlaced ? 1 : 0;
      waiting += segment.status == SegmentStatus::kWaiting ? 1 : 0;
      free += segment.status == SegmentStatus::kFree ? 1 : 0;
    }
  }
  const int all = placed + waiting + free;
  std::string text =
      fmt::format("{} segment{} in topology {}: {} placed", all, all == 1 ? "" : "s", plan.topology, placed);
  if (waiting > 0) text += fmt::format(", {} wait", waiting);
  if (free > 0) text += fmt::format(", {} go anywhere", free);
  return text;
}

}  // namespace

void Announcer::workload_seen(const workload::Workload& workload, const json::Document& object, bool fresh) {
  if (!fresh) return;
  const auto plan = parse_plan_annotation(
      json::text_at(object, {"metadata", "annotations", std::string(workload::keys::kPlan)}));
  if (!plan) return;  // planned without us, or too long to be kept
  events_.record({.regarding = reference(workload.identity, json::text_at(object, {"apiVersion"})),
                  .reason = "Planned",
                  .action = "Plan",
                  .note = sentence(*plan)});
}

void Announcer::workload_gone(const workload::Identity& identity) {
  const std::scoped_lock lock(mutex_);
  // Pods of a LeaderWorkerSet do not know its uid.
  std::erase_if(waiting_, [&](const Waiting& waiting) {
    workload::Identity other = std::get<0>(waiting);
    if (other.uid.empty()) other.uid = identity.uid;
    return other == identity;
  });
}

void Announcer::tried(const WaitingPod& pod, const Retried& retried) {
  const workload::Member& member = pod.member;
  const int segment = retried.segment.value_or(-1);
  const Waiting key{member.workload, member.group, segment};
  {
    const std::scoped_lock lock(mutex_);
    if (retried.waits ? !waiting_.insert(key).second : waiting_.erase(key) == 0) return;
  }
  const std::string name = segment_name(member.group, segment, member.workload.kind == "LeaderWorkerSet");
  kube_api::Event event{.regarding = reference(member.workload, member.workload.api_group + "/v1")};
  if (retried.waits) {
    event.is_warning = true;
    event.reason = "Waiting";
    event.action = "Wait";
    event.note = retried.reason.starts_with(name) ? retried.reason : name + " waits: " + retried.reason;
  } else {
    event.reason = "Placed";
    event.action = "Place";
    event.note = name + " is placed in " + join(retried.domain, "/");
  }
  events_.record(std::move(event));
}

}  // namespace toposeg::webhook
