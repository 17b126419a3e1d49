// The neutral workload: what an adapter (kinds/) makes of a manifest and all that the engine sees of it.
// Nothing past an adapter knows a kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/kube/records.h"
#include "common/workload/segments.h"

namespace toposeg::workload {

// Names one workload. `uid` is empty at its CREATE (the API server sets it after admission).
struct Identity {
  std::string api_group;  // kubeflow.org
  std::string kind;       // PyTorchJob
  std::string namespace_;
  std::string name;  // empty with generateName
  std::string uid;
  friend bool operator==(const Identity&, const Identity&) = default;
  friend auto operator<=>(const Identity&, const Identity&) = default;
};

// The one pod of a group that is not an ordinary worker.
enum class ExtraRole : std::uint8_t {
  kNone,
  kMaster,         // PyTorchJob Master: obeys the workload level only; not counted in Segments::pods
  kLeaderInFirst,  // LWS LeaderWorker: pod 0, member of segment 0
  kLeaderApart,    // LWS LeaderExcluded: pod 0, in no segment, obeys the workload level only
};

// A level constraint: node label keys of topology levels (aliases are already resolved).
struct Levels {
  std::optional<std::string> required;
  std::optional<std::string> preferred;
  [[nodiscard]] bool any() const { return required || preferred; }
  friend bool operator==(const Levels&, const Levels&) = default;
};

// How firmly a preferred segment is written on its pods (placement design, section 5).
enum class PreferredMode : std::uint8_t { kAnchored, kSoft, kPinned };

struct Workload {
  Identity identity;
  int groups = 1;           // replica groups (LWS spec.replicas); 1 for the other kinds
  Segments segments;        // of one group
  int needed_segments = 0;  // the first ones; the rest are optional (elastic jobs)
  ExtraRole extra = ExtraRole::kNone;
  int masters = 0;       // replicas of the Master (kMaster)
  std::string topology;  // resolved name; empty = none: nothing can be placed
  Levels segment;        // per segment
  Levels whole;          // per replica group
  kube::PodSpec worker;
  std::optional<kube::PodSpec> extra_spec;  // Master or leader template; none = like the workers
  bool suspended = false;
  bool owns_pods =
      true;  // false: the pods are those of another workload made from it, which holds their space
  PreferredMode mode = PreferredMode::kAnchored;
  bool inject_env = false;

  // True when there is anything to decide: a topology and a level at either scope.
  [[nodiscard]] bool constrained() const { return !topology.empty() && (segment.any() || whole.any()); }
};

enum class Role : std::uint8_t { kWorker, kLeader, kMaster };

// Which pod of which workload a pod is. `index` counts as Segments does: 0 = leader for LWS, the replica
// index for workers of the other kinds and for Masters.
struct Member {
  Identity workload;
  int group = 0;
  Role role = Role::kWorker;
  int index = 0;
  friend bool operator==(const Member&, const Member&) = default;
};

}  // namespace toposeg::workload
