#include "webhook/waiting/waiting_list.h"

#include <algorithm>
#include <tuple>

#include "common/workload/keys.h"
#include "common/workload/normalise.h"

namespace toposeg::webhook {
namespace {

std::string annotation(const kube::Pod& pod, std::string_view key) {
  const std::string* text = kube::find(pod.annotations, key);
  return text == nullptr ? std::string() : *text;
}

}  // namespace

bool held_by_our_gate(const kube::Pod& pod) {
  return pod.node_name.empty() && !pod.ended() && !pod.terminating &&
         std::find(pod.gates.begin(), pod.gates.end(), workload::keys::kWaitingGate) != pod.gates.end();
}

bool WaitingList::upsert(const kube::Pod& pod) {
  if (!held_by_our_gate(pod)) return remove(pod.namespace_, pod.name);
  const auto member = workload::member_of(pod);
  if (!member) return false;
  WaitingPod& entry = pods_[{pod.namespace_, pod.name}];
  const bool is_new = entry.name.empty() || entry.uid != pod.uid;
  if (is_new) entry = {pod.namespace_, pod.name, pod.uid, pod.created, ++arrivals_, *member, {}, {}};
  entry.segment = annotation(pod, workload::keys::kSegment);
  entry.reason = annotation(pod, workload::keys::kReason);
  return is_new;
}

bool WaitingList::remove(std::string_view namespace_, std::string_view name) {
  return pods_.erase({std::string(namespace_), std::string(name)}) > 0;
}

void WaitingList::drop(const WaitingPod& pod) {
  const auto found = pods_.find({pod.namespace_, pod.name});
  if (found != pods_.end() && found->second.uid == pod.uid) pods_.erase(found);
}

void WaitingList::wrote_reason(const WaitingPod& pod, std::string reason) {
  const auto found = pods_.find({pod.namespace_, pod.name});
  if (found != pods_.end() && found->second.uid == pod.uid) found->second.reason = std::move(reason);
}

bool WaitingList::holds(std::string_view namespace_, std::string_view name) const {
  return pods_.contains({std::string(namespace_), std::string(name)});
}

std::vector<std::vector<WaitingPod>> WaitingList::by_age() const {
  std::map<workload::Identity, std::vector<WaitingPod>> workloads;
  for (const auto& [name, pod] : pods_) workloads[pod.member.workload].push_back(pod);
  std::vector<std::vector<WaitingPod>> ordered;
  for (auto& [identity, pods] : workloads) ordered.push_back(std::move(pods));
  const auto since = [](const std::vector<WaitingPod>& pods) {
    std::tuple<std::int64_t, std::uint64_t> oldest{pods.front().created, pods.front().arrival};
    for (const WaitingPod& pod : pods) oldest = std::min(oldest, std::tuple{pod.created, pod.arrival});
    return oldest;
  };
  std::sort(ordered.begin(), ordered.end(),
            [&](const auto& a, const auto& b) { return since(a) < since(b); });
  for (std::vector<WaitingPod>& pods : ordered) {
    std::sort(pods.begin(), pods.end(), [](const WaitingPod& a, const WaitingPod& b) {
      return std::tie(a.member.group, a.member.role, a.member.index) <
             std::tie(b.member.group, b.member.role, b.member.index);
    });
  }
  return ordered;
}

}  // namespace toposeg::webhook
