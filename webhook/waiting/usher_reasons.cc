// The usher's quiet work: what waiting pods say of themselves.
#include "common/json/pointer.h"
#include "common/workload/keys.h"
#include "webhook/waiting/usher.h"

namespace toposeg::webhook {
namespace {

using json::Document;

// Applies only to the very pod that was looked at, as long as nobody else wrote its reason.
Document reason_patch(const WaitingPod& pod, const std::string& reason) {
  const std::string path =
      json::to_pointer({"metadata", "annotations", std::string(workload::keys::kReason)});
  Document patch = Document::array();
  patch.push_back({{"op", "test"}, {"path", "/metadata/uid"}, {"value", pod.uid}});
  if (!pod.reason.empty()) patch.push_back({{"op", "test"}, {"path", path}, {"value", pod.reason}});
  patch.push_back({{"op", "add"}, {"path", path}, {"value", reason}});
  return patch;
}

}  // namespace

bool Usher::has_other_work() const {
  const std::scoped_lock lock(mutex_);
  return woken_ || stopping_;
}

// Every waiting pod says why it waits now. Comes last in a pass and stops when there is something to let in;
// the next pass goes on.
void Usher::renew_reasons() {
  const Instant now = environment_.clock.now();
  if (reasons_renewed_ && now - *reasons_renewed_ < options_.reason_pause) return;
  reasons_renewed_ = now;
  std::vector<std::vector<WaitingPod>> workloads;
  {
    const std::scoped_lock lock(mutex_);
    workloads = list_.by_age();
  }
  int calls = 0;
  for (const auto& pods : workloads) {
    if (!renew_reasons_of(pods, calls)) return;
  }
}

// False when it is enough for now.
bool Usher::renew_reasons_of(const std::vector<WaitingPod>& pods, int& calls) {
  const auto enough = [&] { return ++calls > options_.reason_calls && has_other_work(); };
  for (const auto& [segment, members] : by_segment(pods)) {
    const Instant now = environment_.clock.now();
    if (!reasons_.due(segment, now)) continue;
    const std::string* known = reasons_.known(segment);
    const bool asks = known == nullptr;
    if (asks && segment == segment_of(pods.front()))
      continue;  // it is not for a reason of ours that it waits
    if (asks && enough()) return false;
    const std::string reason = asks ? ask_reason(members.front(), pods.front()) : *known;
    bool changed = asks;
    for (const WaitingPod& pod : members) {
      if (reason.empty() || pod.reason == reason) continue;
      if (enough()) return false;
      write_reason(pod, reason);
      changed = true;
    }
    if (changed) reasons_.noted(segment, now);
  }
  return true;
}

// Why a segment waits that was not tried, since one before it has no room. Empty when nobody can tell.
std::string Usher::ask_reason(const WaitingPod& pod, const WaitingPod& first) {
  const Document* object = document(pod);
  if (object == nullptr) return {};
  const Retried asked = reviewer_.retry(*object, pod.namespace_, options_.patience, Reviewer::Intent::kAsk);
  if (!asked.fault.empty()) return {};
  return asked.waits ? asked.reason : behind(first);
}

void Usher::write_reason(const WaitingPod& pod, const std::string& reason) {
  const auto sent = client_->patch(target_of(pod), kube_api::kJsonPatch, reason_patch(pod, reason).dump());
  documents_.erase(pod.uid);
  if (sent) {
    const std::scoped_lock lock(mutex_);
    return list_.wrote_reason(pod, reason);
  }
  const kube_api::ApiError& error = sent.error();
  // The pod is gone, or another one: the cluster is about to tell.
  if (error.answered(404) || error.answered(409) || error.answered(422)) return;
  failed(pod, error.text());
}

}  // namespace toposeg::webhook
