// What the engine holds. Its methods are spread over the files beside this one by question: plan.cc,
// place.cc, slots.cc, topology_view.cc, explain.cc; engine.cc keeps the facts and takes the lock for all of
// them.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/placement/engine.h"
#include "engine/placement/graves.h"
#include "engine/placement/group_planner.h"
#include "engine/placement/queue.h"
#include "engine/placement/roster.h"
#include "engine/placement/scope.h"
#include "engine/placement/views.h"

namespace toposeg::engine {

class Engine::State {
 public:
  State(EngineOptions options, const Clock& clock);

  void upsert_node(const kube::Node& node);
  void remove_node(std::string_view name);
  void replace(const kube::Cluster& cluster);
  void upsert_workload(const workload::Workload& workload);
  void remove_workload(const workload::Identity& identity);
  bool forget_workload(const workload::Identity& identity);
  [[nodiscard]] bool removed(const Owner& owner, std::string_view uid) const {
    return graves.holds(owner, uid);
  }
  [[nodiscard]] std::optional<workload::Workload> known(const workload::Identity& identity) const;

  Plan plan(const workload::Workload& workload, const PlanOptions& options);
  void take_up(const workload::Workload& workload, const RememberedPlan& remembered);
  void give_back(const workload::Member& member);
  PodDecision place(const workload::Member& member, const workload::Workload& workload,
                    const kube::PodSpec& pod, const PlanOptions& options);
  Result<Slots> slots(const std::string& topology, const kube::PodSpec& shape, const std::vector<int>& sizes);
  Result<Slots> intact_slots(const std::string& topology, const kube::PodSpec& shape,
                             const std::vector<int>& sizes);
  Result<TopologyView> view(const std::string& topology, const kube::PodSpec& shape);
  Result<DefragAdvice> defrag(const DefragQuestion& question);
  Result<Explanation> explain(const workload::Workload& workload, int group, int segment);
  [[nodiscard]] kube::PodSpec whole_host(const std::string& topology);
  [[nodiscard]] std::vector<LedgerRow> ledger_rows() const;
  [[nodiscard]] std::vector<WaitingRow> waiting_rows() const;
  [[nodiscard]] std::vector<ReachedRow> reached_rows();

  // Entered by every public method: takes the lock and ends the reservations that are over.
  [[nodiscard]] std::unique_lock<std::mutex> enter();

  std::mutex mutex;
  const Clock& clock;
  EngineOptions options;
  Books books;
  Ledger ledger;
  Views views;
  Graves graves;
  Roster roster;
  Queue queue;

 private:
  [[nodiscard]] Desk desk(const PlanOptions& options);
  [[nodiscard]] const workload::Workload* known_as(const Owner& owner) const;
  // The scope of a group; kNotFound, kUnfit when there is nothing to plan on.
  [[nodiscard]] Result<Scope> scope_of(const workload::Workload& workload, int group);
  // The named topology, or the only one.
  [[nodiscard]] Result<const kube::Topology*> find_topology(const std::string& name) const;
  Plan plan_groups(const workload::Workload& workload, const PlanOptions& options);
  [[nodiscard]] Plan unconstrained_plan(const workload::Workload& workload) const;
  PodDecision place_pod(const workload::Member& member, const workload::Workload& workload,
                        const kube::PodSpec& pod, const PlanOptions& options);
  void remember_waiting(const workload::Workload& workload, const Plan& plan, bool as_a_whole);
  void give_back_planned(const Owner& owner);
  void give_back_unwanted(const Owner& owner, const workload::Workload& workload);

  Planner planner_;
  std::map<Owner, workload::Workload> workloads_;
  std::size_t node_count_ = 0;
};

}  // namespace toposeg::engine
