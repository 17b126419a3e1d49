#include "engine/placement/engine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "engine/placement/state.h"

namespace toposeg::engine {

Engine::State::State(EngineOptions options, const Clock& clock)
    : clock(clock),
      options(options),
      ledger(books, {options.plan_ttl, options.pod_ttl, options.group_ttl}),
      views(books),
      roster(books, ledger, graves, clock, [this](const Owner& owner) { return known_as(owner); }),
      queue(options.plan_ttl) {}

std::unique_lock<std::mutex> Engine::State::enter() {
  std::unique_lock lock(mutex);
  ledger.expire(clock.now());
  return lock;
}

Desk Engine::State::desk(const PlanOptions& plan_options) {
  const Instant now = clock.now();
  const std::chrono::nanoseconds most = options.budget;
  const Deadline deadline{&clock, now + std::min(most, plan_options.budget.value_or(most))};
  return {books,    ledger, views,    queue,
          planner_, now,    deadline, options.passing == config::Passing::kHarmless};
}

const workload::Workload* Engine::State::known_as(const Owner& owner) const {
  const auto it = workloads_.find(owner);
  return it == workloads_.end() ? nullptr : &it->second;
}

std::optional<workload::Workload> Engine::State::known(const workload::Identity& identity) const {
  const workload::Workload* workload = known_as(owner_of(identity));
  if (workload == nullptr) return std::nullopt;
  const std::string& uid = workload->identity.uid;
  if (!uid.empty() && !identity.uid.empty() && uid != identity.uid) return std::nullopt;
  return *workload;
}

void Engine::State::give_back(const workload::Member& member) {
  const Owner owner = owner_of(member.workload);
  const SeatEntry* entry = ledger.find(owner, seat_of(member));
  if (entry == nullptr || entry->living()) return;
  const auto segment_of = [](const SeatEntry& seat) {
    return seat.spot != nullptr ? seat.spot->segment.value_or(-1) : -1;
  };
  const int segment = segment_of(*entry);
  std::vector<Seat> unused{seat_of(member)};
  for (const auto& [seat, other] : ledger.find(owner, member.group)->seats) {
    if (segment_of(other) == segment && !other.committed() && seat != unused.front()) unused.push_back(seat);
  }
  for (const Seat& seat : unused) ledger.withdraw(owner, seat);
  ledger.prune(owner);
}

void Engine::State::upsert_node(const kube::Node& node) {
  const kube::Node* before = books.node(node.name);
  if (before == nullptr) ++node_count_;
  views.node_changed(before, &node);
  books.upsert(node);
}

void Engine::State::remove_node(std::string_view name) {
  const kube::Node* before = books.node(name);
  if (before == nullptr) return;
  --node_count_;
  views.node_changed(before, nullptr);
  books.remove(name);
}

void Engine::State::replace(const kube::Cluster& cluster) {
  std::unordered_set<std::string_view> there;
  for (const kube::Node& node : cluster.nodes) there.insert(node.name);
  std::vector<std::string> gone;
  for (const kube::Node* node : books.nodes()) {
    if (!there.contains(node->name)) gone.push_back(node->name);
  }
  for (const std::string& name : gone) remove_node(name);
  for (const kube::Node& node : cluster.nodes) upsert_node(node);

  views.replace(cluster.topologies);

  roster.retain(cluster.pods);
  for (const kube::Pod& pod : cluster.pods) roster.upsert(pod);
}

void Engine::State::give_back_planned(const Owner& owner) {
  const OwnerEntry* entry = ledger.find(owner);
  if (entry == nullptr) return;
  std::vector<Seat> planned;
  for (const auto& [number, group] : entry->groups) {
    for (const auto& [seat, held] : group.seats) {
      if (!held.committed()) planned.push_back(seat);
    }
  }
  for (const Seat& seat : planned) ledger.withdraw(owner, seat);
}

// Seats that a smaller workload has no more pods for.
void Engine::State::give_back_unwanted(const Owner& owner, const workload::Workload& workload) {
  const OwnerEntry* entry = ledger.find(owner);
  if (entry == nullptr) return;
  std::vector<Seat> unwanted;
  for (const auto& [number, group] : entry->groups) {
    for (const auto& [seat, held] : group.seats) {
      const int pods = seat.part == Part::kMaster ? workload.masters : workload.segments.pods;
      const bool wanted = number < workload.groups && seat.index < pods;
      if (!wanted && held.state == SeatState::kPlanned) unwanted.push_back(seat);
    }
  }
  for (const Seat& seat : unwanted) ledger.withdraw(owner, seat);
}

void Engine::State::upsert_workload(const workload::Workload& workload) {
  if (workload.identity.name.empty()) return;
  const Owner owner = owner_of(workload.identity);
  if (ledger.settle(owner, workload.identity.uid, Ledger::Word::kFirm) == Ledger::Settled::kFresh) {
    queue.leave(owner);
    roster.recount(owner, workload.identity.uid);
  }
  workloads_.insert_or_assign(owner, workload);
  graves.erase(owner);
  if (workload.suspended) give_back_planned(owner);
  give_back_unwanted(owner, workload);
  ledger.prune(owner);
}

// False when the name belongs to another workload by now.
bool Engine::State::forget_workload(const workload::Identity& identity) {
  const Owner owner = owner_of(identity);
  const OwnerEntry* entry = ledger.find(owner);
  const bool other =
      entry != nullptr && !entry->uid.empty() && !identity.uid.empty() && entry->uid != identity.uid;
  if (other) return false;
  ledger.drop(owner);
  workloads_.erase(owner);
  queue.leave(owner);
  return true;
}

void Engine::State::remove_workload(const workload::Identity& identity) {
  if (identity.name.empty() || !forget_workload(identity)) return;
  graves.add(owner_of(identity), identity.uid);
}

Result<const kube::Topology*> Engine::State::find_topology(const std::string& name) const {
  const auto& all = views.topologies();
  if (name.empty() && all.size() == 1) return &all.begin()->second;
  if (const kube::Topology* topology = views.topology(name); topology != nullptr) return topology;
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const auto& [known, unused] : all) names.push_back(known);
  const std::string there =
      names.empty() ? "the cluster has no Topology" : fmt::format("there are: {}", fmt::join(names, ", "));
  if (name.empty())
    return fail(Code::kNotFound, "no topology is named and it is not clear which to use; " + there);
  return fail(Code::kNotFound, fmt::format("topology \"{}\" does not exist; {}", name, there));
}

Result<Scope> Engine::State::scope_of(const workload::Workload& workload, int group) {
  const Result<const kube::Topology*> topology = find_topology(workload.topology);
  if (!topology) return std::unexpected(topology.error());
  std::shared_ptr<const Tree> tree = views.tree((*topology)->name);
  const Result<LevelIndices> levels = level_indices(workload, *tree);
  if (!levels) return std::unexpected(levels.error());
  if (tree->node_count() == 0) {
    const auto& outside = tree->outside();
    const std::string why = outside.empty()
                                ? "the cluster has no nodes"
                                : fmt::format("all {} nodes miss a label of it, {} for one misses {}",
                                              outside.size(), outside[0].node, outside[0].missing_label);
    return fail(Code::kUnfit, fmt::format("no node is in topology \"{}\": {}", tree->topology(), why));
  }
  const Owner owner = owner_of(workload.identity);
  const std::set<Seat>* done = roster.done(owner, workload.identity.uid);
  return Scope{workload, owner, group, **topology, std::move(tree), *levels, done};
}

Engine::Engine(EngineOptions options, const Clock& clock) : state_(std::make_unique<State>(options, clock)) {}
Engine::~Engine() = default;

void Engine::replace(const kube::Cluster& cluster) {
  const auto lock = state_->enter();
  state_->replace(cluster);
}

void Engine::upsert_node(const kube::Node& node) {
  const auto lock = state_->enter();
  state_->upsert_node(node);
}

void Engine::remove_node(std::string_view name) {
  const auto lock = state_->enter();
  state_->remove_node(name);
}

void Engine::upsert_pod(const kube::Pod& pod) {
  const auto lock = state_->enter();
  state_->roster.upsert(pod);
}

void Engine::remove_pod(std::string_view namespace_, std::string_view name) {
  const auto lock = state_->enter();
  state_->roster.remove(namespace_, name);
}

void Engine::upsert_topology(kube::Topology topology) {
  const auto lock = state_->enter();
  state_->views.upsert(std::move(topology));
}

void Engine::remove_topology(std::string_view name, std::string_view api_group) {
  const auto lock = state_->enter();
  state_->views.remove(name, api_group);
}

void Engine::upsert_workload(const workload::Workload& workload) {
  const auto lock = state_->enter();
  state_->upsert_workload(workload);
}

void Engine::remove_workload(const workload::Identity& identity) {
  const auto lock = state_->enter();
  state_->remove_workload(identity);
}

std::vector<kube::Topology> Engine::topologies() const {
  const auto lock = state_->enter();
  std::vector<kube::Topology> all;
  all.reserve(state_->views.topologies().size());
  for (const auto& [name, topology] : state_->views.topologies()) all.push_back(topology);
  return all;
}

Plan Engine::plan(const workload::Workload& workload, const PlanOptions& options) {
  const auto lock = state_->enter();
  return state_->plan(workload, options);
}

PodDecision Engine::place(const workload::Member& member, const workload::Workload& workload,
                          const kube::PodSpec& pod, const PlanOptions& options) {
  const auto lock = state_->enter();
  return state_->place(member, workload, pod, options);
}

void Engine::take_up(const workload::Workload& workload, const RememberedPlan& remembered) {
  const auto lock = state_->enter();
  state_->take_up(workload, remembered);
}

void Engine::forget_workload(const workload::Identity& identity) {
  const auto lock = state_->enter();
  (void)state_->forget_workload(identity);
}

bool Engine::removed(const workload::Identity& identity) const {
  const auto lock = state_->enter();
  return state_->removed(owner_of(identity), identity.uid);
}

void Engine::give_back(const workload::Member& member) {
  const auto lock = state_->enter();
  state_->give_back(member);
}

std::optional<workload::Workload> Engine::known(const workload::Identity& identity) const {
  const auto lock = state_->enter();
  return state_->known(identity);
}

Result<Slots> Engine::slots(const std::string& topology, const kube::PodSpec& shape,
                            const std::vector<int>& sizes) {
  const auto lock = state_->enter();
  return state_->slots(topology, shape, sizes);
}

Result<Slots> Engine::intact_slots(const std::string& topology, const kube::PodSpec& shape,
                                   const std::vector<int>& sizes) {
  const auto lock = state_->enter();
  return state_->intact_slots(topology, shape, sizes);
}

Result<TopologyView> Engine::view(const std::string& topology, const kube::PodSpec& shape) {
  const auto lock = state_->enter();
  return state_->view(topology, shape);
}

Result<DefragAdvice> Engine::defrag(const DefragQuestion& question) {
  const auto lock = state_->enter();
  return state_->defrag(question);
}

Result<Explanation> Engine::explain(const workload::Workload& workload, int group, int segment) {
  const auto lock = state_->enter();
  return state_->explain(workload, group, segment);
}

kube::PodSpec Engine::whole_host(const std::string& topology) const {
  const auto lock = state_->enter();
  return state_->whole_host(topology);
}

std::vector<LedgerRow> Engine::ledger() const {
  const auto lock = state_->enter();
  return state_->ledger_rows();
}

std::vector<ReachedRow> Engine::reached() const {
  const auto lock = state_->enter();
  return state_->reached_rows();
}

std::vector<WaitingRow> Engine::waiting() const {
  const auto lock = state_->enter();
  return state_->waiting_rows();
}

}  // namespace toposeg::engine
