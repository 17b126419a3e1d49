// What is told besides the engine when the cluster changes, after the engine knows it.
#pragma once

#include <string_view>

#include "common/json/decode.h"
#include "common/kube/records.h"
#include "common/workload/workload.h"

namespace toposeg::webhook {

// Called on the threads that follow the API server, several at once; must be quick and not throw.
class ClusterListener {
 public:
  virtual ~ClusterListener() = default;
  virtual void pod_seen(const kube::Pod& pod) = 0;
  virtual void pod_gone(std::string_view namespace_, std::string_view name) = 0;
  // A workload that can be placed, as it stands in the cluster. `fresh`: it was made after the view was
  // complete.
  virtual void workload_seen(const workload::Workload& workload, const json::Document& object,
                             bool fresh) = 0;
  virtual void workload_gone(const workload::Identity& identity) = 0;
  // Nodes, topologies or workloads changed: something that had no room may have it now.
  virtual void room_changed() = 0;
};

}  // namespace toposeg::webhook
