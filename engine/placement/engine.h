// The one door of the engine: facts about the cluster go in, plans and reasons come out. It knows records and
// neutral workloads; nothing of HTTP, JSON or Kubernetes objects.
//
//   Engine engine(options, clock);
//   engine.replace(cluster);                            // or upsert_node(), upsert_pod(), … one by one
//   Plan plan = engine.plan(workload, {.reserve = true});
//   PodDecision pod = engine.place(member, workload, {.reserve = true});
//
// Thread safe: one mutex guards the whole engine; a decision on 5,184 nodes takes tens of microseconds.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "common/base/error.h"
#include "common/config/config.h"
#include "common/kube/records.h"
#include "common/workload/workload.h"
#include "engine/placement/defrag_advice.h"

namespace toposeg::engine {

enum class SegmentStatus : std::uint8_t {
  kPlaced,   // has a domain; its level constraint holds
  kFree,     // no domain: escalated beyond the top level, or no level was asked
  kWaiting,  // required, and no domain has room now; or no room anywhere
};

struct PlannedPod {
  int index = 0;  // as Segments counts; Masters: replica index
  workload::Role role = workload::Role::kWorker;
  std::string host;  // nominal node; empty when waiting
};

struct PlannedSegment {
  int segment = 0;
  bool needed = true;
  SegmentStatus status = SegmentStatus::kWaiting;
  std::optional<int> level;  // index into Plan::levels of the domain reached; none when free or waiting
  int climbed = 0;           // levels above the preferred one
  std::vector<std::string> domain;  // label values from the top level down to `level`
  std::vector<PlannedPod> pods;
  std::vector<std::string> reasons;  // why it waits, or why it climbed
};

struct PlannedGroup {
  int group = 0;
  std::optional<int> whole_level;  // level of the domain that holds every pod, if any
  std::vector<std::string> whole_domain;
  std::vector<PlannedSegment> segments;
  std::vector<PlannedPod> loose;     // Master, excluded leader, or all pods when not segmented
  std::vector<std::string> reasons;  // why loose pods have no host
};

// The objective of the whole plan, in its own order.
struct Objective {
  int needed_placed = 0;
  int optional_placed = 0;
  std::int64_t climbed = 0;
  std::vector<std::int64_t> domains;   // used per level, top first, hosts last
  std::vector<std::int64_t> leftover;  // free pods left in the used domains, per level, top first, hosts last
};

// The first wish of the objective that may be met better than the plan meets it: `value` is what the plan
// has, `bound` what no plan can surpass. Both are zero for kEarlier.
struct PlanGap {
  enum class Wish : std::uint8_t {
    kNeeded,      // needed segments placed
    kOptional,    // optional segments placed
    kApart,       // Masters or leaders placed that stand in no segment
    kEarlier,     // of equally many, those with lower numbers
    kClimbed,     // levels climbed
    kWhole,       // levels by which groups miss their preferred common level
    kDomains,     // domains used, summed over groups
    kAltogether,  // domains used, those of several groups counted once
    kLeftover,    // pods that the used domains take before anything is placed
  };
  Wish wish = Wish::kNeeded;
  std::optional<int> level;  // of kDomains and after; none = nodes
  std::int64_t value = 0;
  std::int64_t bound = 0;
};

struct Plan {
  std::string topology;
  std::vector<std::string> levels;  // node label keys, top first
  std::vector<PlannedGroup> groups;
  Objective objective;
  bool fits = true;            // every needed segment with a required level is placed, and loose pods too
  bool proven = true;          // best by the objective; false: the search ended before that was known
  std::optional<PlanGap> gap;  // how far from proven, where that is known
  std::vector<std::string> warnings;  // e.g. constraints that cannot be counted
  std::vector<Error> refused;         // unknown topology or level, no nodes: nothing was planned
};

// What is known of an earlier plan, of which nothing else is left: domains, but no hosts.
struct RememberedSegment {
  int segment = 0;
  std::vector<std::string> domain;  // label values from the top level down
};
struct RememberedGroup {
  int group = 0;
  std::vector<std::string> whole_domain;  // empty = none
  std::vector<RememberedSegment> segments;
};
struct RememberedPlan {
  std::string topology;
  std::vector<std::string> levels;  // node label keys, top first
  std::vector<RememberedGroup> groups;
};

struct PlanOptions {
  bool reserve = false;       // hold the space under the workload's identity
  bool keep_planned = false;  // what is held already stays where it is; only the rest is planned
  // With reserve, when a needed part has no place: nothing is held, and the workload waits as a whole.
  bool all_or_none = false;
  std::optional<std::chrono::nanoseconds> budget = std::nullopt;  // smaller of this and the configured one
};

// What one pod is to carry.
struct PodDecision {
  SegmentStatus status = SegmentStatus::kFree;
  std::optional<int> segment;
  int segment_rank = 0;
  int segment_size = 0;
  int segments = 0;
  std::string topology;
  std::vector<std::string> levels;     // node label keys, top first
  std::vector<std::string> required;   // path: In [value] for levels[0..required.size())
  std::vector<std::string> preferred;  // path of the chosen domain (longer or equal); empty = none
  std::optional<int> level;            // level of the chosen domain
  std::string host;                    // nominal node
  std::string host_label_value;        // its kubernetes.io/hostname label, else the node's name
  std::string reason;                  // when waiting
  bool from_reservation = false;
};

struct SlotsRow {
  int level = 0;
  std::vector<std::int64_t> slots;  // one per asked size
  std::int64_t typical = 0;         // pods that most domains hold: the most that at least half of them do
  std::int64_t largest = 0;         // pods that the roomiest domain holds
};
struct Slots {
  std::string topology;
  std::vector<std::string> levels;
  std::vector<int> sizes;
  std::vector<SlotsRow> rows;  // one a level, top first
  std::int64_t pods = 0;       // that fit one by one
};

// One domain of the tree, for pictures and tables; depth-first order.
struct DomainView {
  int level = 0;  // levels.size() = a node below the last level
  std::vector<std::string> path;
  int nodes = 0;
  int healthy = 0;        // ready, not cordoned
  int idle = 0;           // healthy and no pod that asks for a device or reservation on it
  std::int64_t free = 0;  // pods of the asked shape that still fit
  std::string node;       // name, for leaves
};
struct OutsideNode {
  std::string node;
  std::string missing_label;
};
struct TopologyView {
  std::string topology;
  std::vector<std::string> levels;
  std::vector<DomainView> domains;
  std::vector<OutsideNode> outside;
};

// Why one segment went where it went.
struct Candidate {
  std::vector<std::string> path;
  std::int64_t free = 0;  // pods of the shape that the domain holds
  std::string verdict;    // "chosen", or what it loses on against the chosen one
};
struct LevelNumbers {
  int level = 0;
  std::int64_t domains = 0;
  std::int64_t slots = 0;    // segments of this size that fit, sum over domains
  std::int64_t largest = 0;  // most pods that one domain holds
};
struct Explanation {
  PlannedSegment segment;
  std::vector<LevelNumbers> levels;
  std::vector<Candidate> candidates;  // best first, at most 5
  std::vector<std::string> sentences;
};

// One line of the ledger, for /debug/ledger.
struct LedgerRow {
  std::string namespace_;
  std::string workload;
  int group = 0;
  int index = 0;
  workload::Role role = workload::Role::kWorker;
  std::string host;
  std::string state;  // planned | admitted | bound
  std::int64_t seconds_left = -1;
};
// How close running segments are: those whose living pods are all bound, by the closest domain that holds
// them.
struct ReachedRow {
  std::string topology;
  std::string level;  // node label; empty = no domain but the whole topology
  int segments = 0;
};
struct WaitingRow {
  std::string namespace_;
  std::string workload;
  int group = 0;
  int segment = 0;
  std::string reason;
};

using EngineOptions = config::EngineConfig;

class Engine {
 public:
  Engine(EngineOptions options, const Clock& clock);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Facts. replace() swaps nodes, pods and topologies at once; reservations stay.
  void replace(const kube::Cluster& cluster);
  void upsert_node(const kube::Node& node);
  void remove_node(std::string_view name);
  void upsert_pod(const kube::Pod& pod);
  void remove_pod(std::string_view namespace_, std::string_view name);
  // Topologies of one name in several API groups: the first group by name counts (kai.scheduler before
  // kueue.x-k8s.io).
  void upsert_topology(kube::Topology topology);
  void remove_topology(std::string_view name, std::string_view api_group);
  // A workload that exists: its reservation is keyed by its uid from now on, and its demand is known to
  // place().
  void upsert_workload(const workload::Workload& workload);
  // It was deleted: its space is free, and pods of it that still come get none (see removed()).
  void remove_workload(const workload::Identity& identity);
  // It exists, but asks for nothing any more, or cannot be understood: its space is free.
  void forget_workload(const workload::Identity& identity);

  [[nodiscard]] std::vector<kube::Topology> topologies() const;

  // Plans every group. With reserve, a plan for an identity that already holds one replaces it; nothing is
  // held for a workload without a name, without pods of its own, or suspended.
  [[nodiscard]] Plan plan(const workload::Workload& workload, const PlanOptions& options = {});

  // After a restart: holds again what an earlier plan promised, as far as its topology is still the same. A
  // segment of which no pod is there is reserved whole in its domain, or, when that has no room for it any
  // more, not at all: plan() with keep_planned places what is left.
  void take_up(const workload::Workload& workload, const RememberedPlan& remembered);

  // Places one pod: its reservation if there is one, else beside the living pods of its segment, else anew
  // (the whole segment at once). `workload` is what is known of it (the live object, or the pod's own
  // annotations). `pod` is the pod's own spec: its shape if it differs from the plan's.
  [[nodiscard]] PodDecision place(const workload::Member& member, const workload::Workload& workload,
                                  const kube::PodSpec& pod, const PlanOptions& options = {});
  // The pod that place() reserved for did not come about: its space is free again, and so is what is planned
  // for the pods of its segment that have not come. Nothing happens once the pod was seen.
  void give_back(const workload::Member& member);
  // What plan() last saw under this identity, if it is still known.
  [[nodiscard]] std::optional<workload::Workload> known(const workload::Identity& identity) const;
  // True for a workload that was deleted and not seen again since. The last 4,096 are remembered.
  [[nodiscard]] bool removed(const workload::Identity& identity) const;

  // An empty topology = the only one. kNotFound names what exists.
  [[nodiscard]] Result<Slots> slots(const std::string& topology, const kube::PodSpec& shape,
                                    const std::vector<int>& sizes);
  // The same if every node were empty and well: ready, not cordoned, without the taints that Kubernetes sets
  // itself. O(nodes).
  [[nodiscard]] Result<Slots> intact_slots(const std::string& topology, const kube::PodSpec& shape,
                                           const std::vector<int>& sizes);
  [[nodiscard]] Result<TopologyView> view(const std::string& topology, const kube::PodSpec& shape);
  // Which segments to move so that more slots appear. Nothing is changed.
  [[nodiscard]] Result<DefragAdvice> defrag(const DefragQuestion& question);
  [[nodiscard]] Result<Explanation> explain(const workload::Workload& workload, int group, int segment);

  // A pod that takes one whole host of the topology: the commonest device as most of its nodes offer it, or
  // else cpu and memory. It tolerates the taints that at least half of these nodes carry, but for those that
  // tell of a node's health: pools of devices keep other pods off by taints.
  [[nodiscard]] kube::PodSpec whole_host(const std::string& topology) const;

  [[nodiscard]] std::vector<LedgerRow> ledger() const;
  [[nodiscard]] std::vector<WaitingRow> waiting() const;
  // Every level of every topology has a row. O(pods of workloads).
  [[nodiscard]] std::vector<ReachedRow> reached() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace toposeg::engine
