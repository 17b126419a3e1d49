#include "webhook/cluster/live_cluster.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "webhook/admission/plan_annotation.h"

namespace toposeg::webhook {

using kube_api::Reflector;
using kube_api::Resource;

namespace {

engine::RememberedPlan remembered(const PlanSummary& plan) {
  engine::RememberedPlan remembered{plan.topology, plan.levels, {}};
  for (const GroupSummary& summary : plan.groups) {
    engine::RememberedGroup group{summary.group, summary.whole, {}};
    for (std::size_t i = 0; i < summary.segments.size(); ++i) {
      if (summary.segments[i].status != engine::SegmentStatus::kPlaced) continue;
      group.segments.push_back({static_cast<int>(i), summary.segments[i].domain});
    }
    remembered.groups.push_back(std::move(group));
  }
  return remembered;
}

}  // namespace

// A definition came or changed: a resource that was absent may be there now.
class LiveCluster::DefinitionSink final : public kube_api::Sink {
 public:
  explicit DefinitionSink(LiveCluster& cluster) : cluster_(cluster) {}
  void upsert(const json::Document& /*object*/) override { cluster_.wake_absent(); }
  void remove(std::string_view /*namespace_*/, std::string_view /*name*/) override {}
  void synced() override {}

 private:
  LiveCluster& cluster_;
};

struct LiveCluster::Followed {
  Followed(Resource resource, std::unique_ptr<kube_api::Client> client, std::unique_ptr<kube_api::Sink> sink_,
           const kube_api::Environment& environment, const Reflector::Options& options)
      : sink(std::move(sink_)),
        reflector(std::move(resource), std::move(client), *sink, environment, options) {}

  std::unique_ptr<kube_api::Sink> sink;
  Reflector reflector;
};

LiveCluster::LiveCluster(const kube_api::Credentials& credentials, engine::Engine& engine,
                         const config::WorkloadConfig& config, ClusterListener& listener,
                         const kube_api::Environment& environment)
    : credentials_(credentials),
      environment_(environment),
      engine_(engine),
      context_{engine, listener, config, environment_.logger},
      shelf_(context_) {
  follow({.version = "v1", .plural = "nodes", .kind = "Node"}, std::make_unique<NodeSink>(context_),
         {.protobuf = true});
  follow({.version = "v1", .plural = "pods", .kind = "Pod"}, std::make_unique<PodSink>(context_),
         {.protobuf = true});
  using Versions = std::vector<std::string>;
  for (const auto& [group, versions] :
       {std::pair{"kai.scheduler", Versions{"v1alpha1"}},
        std::pair{"kueue.x-k8s.io", Versions{"v1beta2", "v1beta1", "v1alpha1"}}}) {
    follow({.group = group, .plural = "topologies", .kind = "Topology", .versions = versions},
           std::make_unique<TopologySink>(group, context_, shelf_), {});
  }
  for (const auto& [group, versions, plural, kind] :
       {std::tuple{"kubeflow.org", Versions{"v1"}, "pytorchjobs", "PyTorchJob"},
        std::tuple{"leaderworkerset.x-k8s.io", Versions{"v1"}, "leaderworkersets", "LeaderWorkerSet"},
        std::tuple{"run.ai", Versions{"v2alpha1"}, "distributedworkloads", "DistributedWorkload"}}) {
    follow({.group = group, .plural = plural, .kind = kind, .versions = versions},
           std::make_unique<WorkloadSink>(kind, shelf_), {.filter = kube::Filter::kWhole});
  }
  follow({.group = "apiextensions.k8s.io",
          .version = "v1",
          .plural = "customresourcedefinitions",
          .kind = "CustomResourceDefinition"},
         std::make_unique<DefinitionSink>(*this), {});
}

LiveCluster::~LiveCluster() { stop(); }

void LiveCluster::follow(Resource resource, std::unique_ptr<kube_api::Sink> sink,
                         const Reflector::Options& options) {
  followed_.push_back(std::make_unique<Followed>(
      std::move(resource), std::make_unique<kube_api::Client>(credentials_, environment_.clock),
      std::move(sink), environment_, options));
}

void LiveCluster::start() {
  for (const auto& followed : followed_) followed->reflector.start();
}

void LiveCluster::stop() {
  for (const auto& followed : followed_) followed->reflector.stop();
}

void LiveCluster::wake_absent() {
  for (const auto& followed : followed_) followed->reflector.wake();
}

bool LiveCluster::listed() const {
  return std::all_of(followed_.begin(), followed_.end(),
                     [](const auto& followed) { return followed->reflector.statistics().has_synced; });
}

bool LiveCluster::loaded() const { return settled_; }

std::chrono::seconds LiveCluster::age() const {
  if (!loaded()) return std::chrono::seconds(0);
  const Instant now = environment_.clock.now();
  std::chrono::nanoseconds oldest{0};
  for (const auto& followed : followed_) {
    const std::string& plural = followed->reflector.resource().plural;
    if (plural != "nodes" && plural != "pods") continue;
    const auto last = followed->reflector.statistics().last_event;
    if (last) oldest = std::max<std::chrono::nanoseconds>(oldest, now - *last);
  }
  return std::chrono::duration_cast<std::chrono::seconds>(oldest);
}

std::vector<workload::Workload> LiveCluster::holders(std::chrono::seconds plan_ttl) const {
  std::set<std::pair<std::string, std::string>> living;
  for (const engine::LedgerRow& row : engine_.ledger()) living.emplace(row.namespace_, row.workload);
  const auto now =
      std::chrono::duration_cast<std::chrono::seconds>(environment_.clock.wall().time_since_epoch());
  std::vector<workload::Workload> holders;
  for (WorkloadShelf::Entry& entry : shelf_.oldest_first()) {
    const workload::Identity& identity = entry.workload.identity;
    const bool young = now - std::chrono::seconds(entry.created) < plan_ttl;
    const bool lives = living.contains({identity.namespace_, identity.kind + '/' + identity.name});
    if (entry.finished || entry.workload.suspended || !(young || lives)) continue;
    holders.push_back(std::move(entry.workload));
  }
  return holders;
}

bool LiveCluster::settle(std::chrono::seconds plan_ttl) {
  if (settled_ || !listed()) return false;
  // A workload may have been listed before the topology that it names.
  shelf_.read_again();
  const std::vector<workload::Workload> workloads = holders(plan_ttl);
  for (const workload::Workload& workload : workloads) {
    const auto plan = parse_plan_annotation(shelf_.plan_text(workload.identity));
    if (plan) engine_.take_up(workload, remembered(*plan));
  }
  for (const workload::Workload& workload : workloads) {
    (void)engine_.plan(workload, {.reserve = true, .keep_planned = true});
  }
  shelf_.complete();
  settled_ = true;
  return true;
}

std::vector<std::pair<std::string, kube_api::ReflectorStatistics>> LiveCluster::statistics() const {
  std::vector<std::pair<std::string, kube_api::ReflectorStatistics>> all;
  for (const auto& followed : followed_) {
    all.emplace_back(followed->reflector.resource().name(), followed->reflector.statistics());
  }
  return all;
}

}  // namespace toposeg::webhook
