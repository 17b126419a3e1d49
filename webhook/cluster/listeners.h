// Several listeners as one.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "webhook/cluster/cluster_listener.h"

namespace toposeg::webhook {

// Tells each in the order given. The listeners outlive it.
class Listeners final : public ClusterListener {
 public:
  explicit Listeners(std::vector<ClusterListener*> all) : all_(std::move(all)) {}

  void pod_seen(const kube::Pod& pod) override {
    for (ClusterListener* one : all_) one->pod_seen(pod);
  }
  void pod_gone(std::string_view namespace_, std::string_view name) override {
    for (ClusterListener* one : all_) one->pod_gone(namespace_, name);
  }
  void workload_seen(const workload::Workload& workload, const json::Document& object, bool fresh) override {
    for (ClusterListener* one : all_) one->workload_seen(workload, object, fresh);
  }
  void workload_gone(const workload::Identity& identity) override {
    for (ClusterListener* one : all_) one->workload_gone(identity);
  }
  void room_changed() override {
    for (ClusterListener* one : all_) one->room_changed();
  }

 private:
  const std::vector<ClusterListener*> all_;
};

}  // namespace toposeg::webhook
