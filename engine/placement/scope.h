// One replica group of a workload, laid on one tree: what every step of a decision needs to know about it.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/error.h"
#include "common/workload/workload.h"
#include "engine/capacity/books.h"
#include "engine/ledger/ledger.h"
#include "engine/placement/queue.h"
#include "engine/placement/views.h"
#include "engine/planner/planner.h"
#include "engine/topology/tree.h"

namespace toposeg::engine {

// Nodes that an earlier workload may come to use (holds.h): one flag a leaf of the decision's tree.
struct Hold {
  std::vector<std::uint8_t> nodes;
  std::string whom;
};

// The tools of a decision about one workload; all of them belong to the engine and are used under its lock.
struct Desk {
  Books& books;
  Ledger& ledger;
  Views& views;
  const Queue& queue;
  Planner& planner;
  Instant now;
  Deadline deadline;
  bool turns = true;                                      // whoever waits goes first
  std::optional<std::vector<Hold>> holds = std::nullopt;  // against the workload, once they were asked for
};

// A workload's levels as indices of the tree; kAnywhere = not asked. A preferred level at or above its
// required one has no effect and is left out.
struct LevelIndices {
  int segment_required = kAnywhere;
  int segment_preferred = kAnywhere;
  int whole_required = kAnywhere;
  int whole_preferred = kAnywhere;

  // Whether there is a level that must be held, for want of which a pod waits.
  [[nodiscard]] bool must_hold() const {
    return segment_required != kAnywhere || whole_required != kAnywhere;
  }
  // The level a segment tries to reach.
  [[nodiscard]] int goal() const {
    return segment_preferred != kAnywhere ? segment_preferred : segment_required;
  }
};

struct Scope {
  const workload::Workload& workload;
  Owner owner;
  int group = 0;
  const kube::Topology& topology;
  std::shared_ptr<const Tree> tree;
  LevelIndices levels;
  const std::set<Seat>* done = nullptr;  // whose pods have succeeded: they need no place any more

  [[nodiscard]] bool is_done(const Seat& seat) const { return done != nullptr && done->contains(seat); }
  // The shape of the pod on a seat.
  [[nodiscard]] const kube::PodSpec& shape(const Seat& seat) const;
  [[nodiscard]] bool leader_stands_apart() const;  // pod 0 is in no segment
  [[nodiscard]] bool leader_differs() const;       // pod 0 has a template of another shape than the workers
  [[nodiscard]] std::optional<int> segment_of(const Seat& seat) const;
  [[nodiscard]] Seat member(int index) const { return {group, Part::kMember, index}; }
  [[nodiscard]] Seat master(int index) const { return {group, Part::kMaster, index}; }
};

[[nodiscard]] Owner owner_of(const workload::Identity& identity);
[[nodiscard]] Seat seat_of(const workload::Member& member);
// Pod 0 of a workload with a leader is the leader.
[[nodiscard]] workload::Role role_of(const workload::Workload& workload, const Seat& seat);

// kNotFound lists what exists.
[[nodiscard]] Result<LevelIndices> level_indices(const workload::Workload& workload, const Tree& tree);

// For people: the level's alias, else what follows the last `/` of its label, without a leading `topology-`.
[[nodiscard]] std::string short_name(const kube::Topology& topology, int level);

}  // namespace toposeg::engine
