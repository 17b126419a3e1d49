// How the pods of an existing workload stand: which are where, and how close together the nodes' own labels
// say that they are. What was planned or written on the pods is not believed, only used as a reason to wait.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/kube/records.h"
#include "common/workload/workload.h"
#include "engine/cli/named_workload.h"

namespace toposeg::cli {

enum class PodState : std::uint8_t {
  kBound,        // has a node, also when it has ended well
  kGated,        // held by a scheduling gate
  kUnscheduled,  // the scheduler has not bound it
  kFailed,
  kMissing,  // there is no such pod
};

struct PodStatus {
  int index = 0;  // as Segments counts; Masters: replica index
  workload::Role role = workload::Role::kWorker;
  std::string name;  // empty when missing
  std::string node;  // empty unless bound
  PodState state = PodState::kMissing;
  std::string reason;  // why it is not bound
};

enum class Standing : std::uint8_t {
  kPlaced,   // every pod has a node, and a required level holds
  kApart,    // every pod has a node, and a required level does not hold
  kWaiting,  // some pod has none
};

// The closest domain that holds all pods with a node; level = index into the topology, none = there is none.
struct Reached {
  std::optional<int> level;
  std::vector<std::string> domain;  // label values from the top level down to `level`
};

struct SegmentStanding {
  std::optional<int> segment;  // none: pods in no segment
  bool needed = true;
  Standing standing = Standing::kWaiting;
  Reached reached;
  std::vector<PodStatus> pods;       // by index
  std::vector<std::string> reasons;  // why it waits or stands apart
};

struct GroupStanding {
  int group = 0;
  Reached whole;                          // of all its pods
  std::vector<SegmentStanding> segments;  // loose pods last, one entry a role
  std::vector<std::string> reasons;       // why the whole stands apart
};

struct WorkloadStanding {
  std::optional<kube::Topology> topology;  // by which levels are judged
  std::vector<GroupStanding> groups;
  bool placed = true;  // every needed segment and loose pod is placed, and required levels hold
};

// `topology` empty = the workload's, else the only one of the cluster. Pods beyond those asked for (elastic
// jobs, surge groups) count where they exist. kNotFound for a topology that does not exist. O(pods log pods).
[[nodiscard]] Result<WorkloadStanding> standing_of(const NamedWorkload& named, const kube::Cluster& cluster,
                                                   const std::string& topology);

}  // namespace toposeg::cli
