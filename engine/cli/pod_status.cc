#include "engine/cli/pod_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "common/base/text.h"
#include "common/workload/keys.h"
#include "common/workload/normalise.h"

namespace toposeg::cli {
namespace {

namespace keys = workload::keys;

// A uid is compared only where both sides tell one: a pod of a namesake that was deleted is not meant.
bool same(const workload::Identity& a, const workload::Identity& b) {
  return a.api_group == b.api_group && a.kind == b.kind && a.namespace_ == b.namespace_ && a.name == b.name &&
         (a.uid.empty() || b.uid.empty() || a.uid == b.uid);
}

// Of two pods for one place the living one counts, then the newer one.
auto preference(const kube::Pod& pod) { return std::tuple(!pod.ended(), !pod.terminating, pod.created); }

std::string waiting_reason(const kube::Pod& pod) {
  const bool ours = std::find(pod.gates.begin(), pod.gates.end(), keys::kWaitingGate) != pod.gates.end();
  const std::string* reason = kube::find(pod.annotations, keys::kReason);
  if (ours && reason != nullptr && !reason->empty()) return *reason;
  if (ours) return fmt::format("held by the scheduling gate {}", keys::kWaitingGate);
  if (!pod.gates.empty()) return fmt::format("held by the scheduling gate {}", join(pod.gates, ", "));
  return "not scheduled yet; kubectl describe pod tells the scheduler's reason";
}

}  // namespace

bool leads(const workload::Workload& workload, int index) {
  const bool has_leader = workload.extra == workload::ExtraRole::kLeaderInFirst ||
                          workload.extra == workload::ExtraRole::kLeaderApart;
  return has_leader && index == 0;
}

std::vector<std::pair<workload::Member, const kube::Pod*>> members_among(
    const std::vector<kube::Pod>& pods, std::span<const workload::Identity> makers) {
  std::map<std::tuple<int, workload::Role, int>, std::pair<workload::Member, const kube::Pod*>> best;
  for (const kube::Pod& pod : pods) {
    const auto member = workload::member_of(pod);
    if (!member) continue;
    const bool ours = std::any_of(makers.begin(), makers.end(),
                                  [&](const auto& maker) { return same(maker, member->workload); });
    if (!ours) continue;
    const auto [known, is_new] =
        best.try_emplace({member->group, member->role, member->index}, *member, &pod);
    if (!is_new && preference(pod) > preference(*known->second.second)) known->second = {*member, &pod};
  }
  std::vector<std::pair<workload::Member, const kube::Pod*>> result;
  for (const auto& entry : best) result.push_back(entry.second);
  return result;
}

PodStatus status_of(const kube::Pod& pod, const workload::Member& member) {
  PodStatus status;
  status.index = member.index;
  status.role = member.role;
  status.name = pod.name;
  if (pod.phase == kube::PodPhase::kFailed) {
    status.state = PodState::kFailed;
    status.reason = fmt::format("{} has failed", pod.name);
  } else if (!pod.node_name.empty()) {
    status.state = PodState::kBound;
    status.node = pod.node_name;
  } else {
    status.state = pod.gates.empty() ? PodState::kUnscheduled : PodState::kGated;
    status.reason = waiting_reason(pod);
  }
  return status;
}

}  // namespace toposeg::cli
