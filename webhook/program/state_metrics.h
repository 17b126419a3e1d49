// Gauges of the process's state, set at each scrape, and what the snapshot did.
//
//   toposeg_build_info{version}                        toposeg_certificate_expiry_timestamp_seconds
//   toposeg_view_age_seconds                           toposeg_snapshot_readings_total{result}
//   toposeg_reserved_pods{state}                       toposeg_waiting_segments
//   toposeg_cache_objects{kind}                        toposeg_cache_last_event_timestamp_seconds{kind}
//   toposeg_watch_restarts_total{kind,reason}          toposeg_watch_events_total{kind}
//   toposeg_waiting_pods                               toposeg_pods_let_in_total
//   toposeg_let_in_failures_total                      toposeg_certificate_reloads_total{result}
//   toposeg_slots{topology,level,size}                 toposeg_segments{topology,level}
#pragma once

#include <memory>
#include <string>

#include "certs/store.h"
#include "engine/placement/engine.h"
#include "webhook/cluster/live_cluster.h"
#include "webhook/cluster/snapshot.h"
#include "webhook/program/serving_certificates.h"
#include "webhook/waiting/usher.h"

namespace prometheus {
class Registry;
}

namespace toposeg::webhook {

// Thread safe.
class StateMetrics {
 public:
  explicit StateMetrics(std::shared_ptr<prometheus::Registry> registry);
  ~StateMetrics();
  StateMetrics(const StateMetrics&) = delete;
  StateMetrics& operator=(const StateMetrics&) = delete;

  void renewed(Renewal renewal);
  // A reading of the snapshot, good or not.
  void read(const Result<SnapshotContent>& result);

  // Every metric of the registry as Prometheus text, with the state as it is now. `live` and `usher` are null
  // where the cluster is a file.
  [[nodiscard]] std::string page(engine::Engine& engine, const ClusterView& view, const LiveCluster* live,
                                 const Usher* usher, const certs::Store& certificates);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace toposeg::webhook
