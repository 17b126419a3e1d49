// What people see of a workload in `kubectl describe` and `kubectl get events`: Planned when it comes,
// Waiting with the reason when a segment has no room, Placed when a waiting segment got its place.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <tuple>

#include "common/workload/workload.h"
#include "webhook/admission/reviewer.h"
#include "webhook/cluster/cluster_listener.h"
#include "webhook/kube_api/event_recorder.h"
#include "webhook/waiting/waiting_list.h"

namespace toposeg::webhook {

// Each change is told once. Never waits for the API server. Thread safe.
class Announcer final : public ClusterListener {
 public:
  explicit Announcer(kube_api::EventRecorder& events) : events_(events) {}

  void workload_seen(const workload::Workload& workload, const json::Document& object, bool fresh) override;
  void workload_gone(const workload::Identity& identity) override;
  void pod_seen(const kube::Pod& /*pod*/) override {}
  void pod_gone(std::string_view /*namespace_*/, std::string_view /*name*/) override {}
  void room_changed() override {}

  // A waiting pod was tried again: the first word about its segment, or the good one.
  void tried(const WaitingPod& pod, const Retried& retried);

 private:
  // Workload, replica group, segment (-1: none).
  using Waiting = std::tuple<workload::Identity, int, int>;

  kube_api::EventRecorder& events_;
  std::mutex mutex_;
  std::set<Waiting> waiting_;
};

}  // namespace toposeg::webhook
