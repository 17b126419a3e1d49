// The existing workload that a person names: KIND/NAME or NAME.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/config/config.h"
#include "common/kube/records.h"
#include "common/workload/normalise.h"

namespace toposeg::cli {

struct NamedWorkload {
  workload::Normalised normalised;
  // Whose pods are its own: itself, and the workloads that it owns (a DistributedWorkload's PyTorchJob).
  std::vector<workload::Identity> makers;
};

struct WorkloadQuestion {
  std::string word;  // "train", "pytorchjob/train", "lws/chat"; kinds in any letter case, singular or plural
  std::string namespace_;  // empty = any
};

// Among the objects, each of a known kind. A workload that another match owns is not meant. kInvalid for an
// unknown kind; kNotFound, and kConflict when several are meant, list what there is.
[[nodiscard]] Result<NamedWorkload> find_workload(std::span<const json::Document> objects,
                                                  const WorkloadQuestion& question,
                                                  std::span<const kube::Topology> topologies,
                                                  const config::WorkloadConfig& config);

}  // namespace toposeg::cli
