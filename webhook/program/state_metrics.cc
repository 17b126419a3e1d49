#include "webhook/program/state_metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <map>
#include <utility>

namespace toposeg::webhook {
namespace {

using prometheus::Gauge;

prometheus::Family<Gauge>& gauge(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry);
}

double seconds_since_epoch(WallTime time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

}  // namespace

class StateMetrics::Impl {
 public:
  explicit Impl(std::shared_ptr<prometheus::Registry> registry)
      : registry_(std::move(registry)),
        expiry(gauge(*registry_, "toposeg_certificate_expiry_timestamp_seconds",
                     "End of the serving certificate.")
                   .Add({})),
        age(gauge(*registry_, "toposeg_view_age_seconds", "Since the view of the cluster was confirmed.")
                .Add({})),
        waiting(gauge(*registry_, "toposeg_waiting_segments", "Segments without a domain now.").Add({})),
        reserved(gauge(*registry_, "toposeg_reserved_pods", "Pods that the ledger holds, by state.")),
        objects(gauge(*registry_, "toposeg_cache_objects", "Objects of the last good reading.")),
        readings(prometheus::BuildCounter()
                     .Name("toposeg_snapshot_readings_total")
                     .Help("Readings of the cluster files.")
                     .Register(*registry_)) {
    gauge(*registry_, "toposeg_build_info", "The version of the program.")
        .Add({{"version", TOPOSEG_VERSION}})
        .Set(1);
    for (const char* result : {"good", "broken"}) readings.Add({{"result", result}});
    for (const char* state : {"planned", "admitted", "bound"}) reserved.Add({{"state", state}});
  }

  std::shared_ptr<prometheus::Registry> registry_;
  Gauge& expiry;
  Gauge& age;
  Gauge& waiting;
  prometheus::Family<Gauge>& reserved;
  prometheus::Family<Gauge>& objects;
  prometheus::Family<prometheus::Counter>& readings;
};

StateMetrics::StateMetrics(std::shared_ptr<prometheus::Registry> registry)
    : impl_(std::make_unique<Impl>(std::move(registry))) {}
StateMetrics::~StateMetrics() = default;

void StateMetrics::read(const Result<SnapshotContent>& result) {
  impl_->readings.Add({{"result", result ? "good" : "broken"}}).Increment();
  if (!result) return;
  const std::pair<const char*, std::size_t> counts[] = {{"node", result->nodes},
                                                        {"pod", result->pods},
                                                        {"topology", result->topologies},
                                                        {"workload", result->workloads}};
  for (const auto& [kind, count] : counts)
    impl_->objects.Add({{"kind", kind}}).Set(static_cast<double>(count));
}

std::string StateMetrics::page(const engine::Engine& engine, const Snapshot& snapshot,
                               const certs::Store& certificates) {
  if (const auto pair = certificates.get()) impl_->expiry.Set(seconds_since_epoch(pair->not_after));
  impl_->age.Set(static_cast<double>(snapshot.age().count()));
  impl_->waiting.Set(static_cast<double>(engine.waiting().size()));
  std::map<std::string, int> pods{{"planned", 0}, {"admitted", 0}, {"bound", 0}};
  for (const engine::LedgerRow& row : engine.ledger()) ++pods[row.state];
  for (const auto& [state, count] : pods) impl_->reserved.Add({{"state", state}}).Set(count);
  return prometheus::TextSerializer().Serialize(impl_->registry_->Collect());
}

}  // namespace toposeg::webhook
