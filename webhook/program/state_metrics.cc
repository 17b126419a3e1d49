#include "webhook/program/state_metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "webhook/kube_api/reflector.h"

namespace toposeg::webhook {
namespace {

using prometheus::Counter;
using prometheus::Gauge;

prometheus::Family<Counter>& counter(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
}

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
    for (const char* result : {"taken", "refused"}) reloads->Add({{"result", result}});
    for (const char* state : {"planned", "admitted", "bound"}) reserved.Add({{"state", state}});
  }

  void set(const LiveCluster& live) {
    for (const auto& [resource, now] : live.statistics()) {
      const prometheus::Labels kind{{"kind", resource}};
      objects.Add(kind).Set(static_cast<double>(now.objects));
      if (now.last_event) {
        const auto ago = std::chrono::duration<double>(clock.now() - *now.last_event);
        last_event->Add(kind).Set(seconds_since_epoch(clock.wall()) - ago.count());
      }
      raise(events->Add(kind), static_cast<double>(now.events));
      for (std::size_t i = 0; i < kube_api::kRestartReasons; ++i) {
        const auto reason = std::string(kube_api::name_of(static_cast<kube_api::Restart>(i)));
        raise(restarts->Add({{"kind", resource}, {"reason", reason}}),
              static_cast<double>(now.restarts.at(i)));
      }
    }
  }

  // What is left for whole hosts, and how close running segments are. Topologies come and go, so both are set
  // anew.
  void set(engine::Engine& engine) {
    for (Gauge* gone : slots_set) slots->Remove(gone);
    for (Gauge* gone : reached_set) reached->Remove(gone);
    slots_set.clear();
    reached_set.clear();
    for (const engine::ReachedRow& row : engine.reached()) {
      const std::string level = row.level.empty() ? "none" : row.level;
      reached_set.push_back(&reached->Add({{"topology", row.topology}, {"level", level}}));
      reached_set.back()->Set(row.segments);
    }
    for (const kube::Topology& topology : engine.topologies()) set_slots(engine, topology.name);
  }

  void set_slots(engine::Engine& engine, const std::string& topology) {
    const auto found = engine.slots(topology, engine.whole_host(topology), {1, 2, 4, 8, 16});
    if (!found) return;
    for (const engine::SlotsRow& row : found->rows) {
      for (std::size_t i = 0; i < found->sizes.size(); ++i) {
        slots_set.push_back(&slots->Add({{"topology", topology},
                                         {"level", found->levels.at(static_cast<std::size_t>(row.level))},
                                         {"size", std::to_string(found->sizes[i])}}));
        slots_set.back()->Set(static_cast<double>(row.slots.at(i)));
      }
    }
  }

  void set(const UsherStatistics& now) {
    waiting_pods->Add({}).Set(static_cast<double>(now.waiting_pods));
    raise(let_in->Add({}), static_cast<double>(now.let_in));
    raise(let_in_failures->Add({}), static_cast<double>(now.failed));
  }

  // Counters are counted elsewhere: brings one up to what it is there.
  static void raise(Counter& counter, double to) {
    if (to > counter.Value()) counter.Increment(to - counter.Value());
  }

  std::mutex scraping;
  SystemClock clock;
  std::shared_ptr<prometheus::Registry> registry_;
  Gauge& expiry;
  Gauge& age;
  Gauge& waiting;
  prometheus::Family<Gauge>& reserved;
  prometheus::Family<Gauge>& objects;
  prometheus::Family<Counter>& readings;
  prometheus::Family<Gauge>* last_event = &gauge(*registry_, "toposeg_cache_last_event_timestamp_seconds",
                                                 "When the API server last said something of a kind.");
  prometheus::Family<Counter>* events =
      &counter(*registry_, "toposeg_watch_events_total", "Changes seen, by kind.");
  prometheus::Family<Counter>* reloads =
      &counter(*registry_, "toposeg_certificate_reloads_total", "New serving certificates.");
  prometheus::Family<Counter>* restarts = &counter(*registry_, "toposeg_watch_restarts_total",
                                                   "Watches that had to begin again, by kind and reason.");
  prometheus::Family<Gauge>* slots =
      &gauge(*registry_, "toposeg_slots",
             "Segments of so many whole hosts that still fit, by level of their domain.");
  prometheus::Family<Gauge>* reached = &gauge(
      *registry_, "toposeg_segments", "Running segments, by level of the closest domain that holds them.");
  std::vector<Gauge*> slots_set;
  std::vector<Gauge*> reached_set;
  prometheus::Family<Gauge>* waiting_pods =
      &gauge(*registry_, "toposeg_waiting_pods", "Pods that our gate holds.");
  prometheus::Family<Counter>* let_in =
      &counter(*registry_, "toposeg_pods_let_in_total", "Waiting pods that got their place.");
  prometheus::Family<Counter>* let_in_failures =
      &counter(*registry_, "toposeg_let_in_failures_total", "Waiting pods that could not be changed.");
};

StateMetrics::StateMetrics(std::shared_ptr<prometheus::Registry> registry)
    : impl_(std::make_unique<Impl>(std::move(registry))) {}
StateMetrics::~StateMetrics() = default;

void StateMetrics::renewed(Renewal renewal) {
  if (renewal == Renewal::kNone) return;
  impl_->reloads->Add({{"result", renewal == Renewal::kTaken ? "taken" : "refused"}}).Increment();
}

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

std::string StateMetrics::page(engine::Engine& engine, const ClusterView& view, const LiveCluster* live,
                               const Usher* usher, const certs::Store& certificates) {
  const std::scoped_lock lock(impl_->scraping);
  if (live != nullptr) impl_->set(*live);
  if (usher != nullptr) impl_->set(usher->statistics());
  impl_->set(engine);
  if (const auto pair = certificates.get()) impl_->expiry.Set(seconds_since_epoch(pair->not_after));
  impl_->age.Set(static_cast<double>(view.age().count()));
  impl_->waiting.Set(static_cast<double>(engine.waiting().size()));
  std::map<std::string, int> pods{{"planned", 0}, {"admitted", 0}, {"bound", 0}};
  for (const engine::LedgerRow& row : engine.ledger()) ++pods[row.state];
  for (const auto& [state, count] : pods) impl_->reserved.Add({{"state", state}}).Set(count);
  return prometheus::TextSerializer().Serialize(impl_->registry_->Collect());
}

}  // namespace toposeg::webhook
