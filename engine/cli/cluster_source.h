// Where the picture of the cluster comes from: files, or kubectl.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/json/decode.h"
#include "common/kube/records.h"
#include "engine/cli/environment.h"
#include "engine/cli/options.h"
#include "engine/cli/streams.h"

namespace toposeg::cli {

struct ReadCluster {
  kube::Cluster cluster;
  std::vector<json::Document> workloads;   // of known kinds, in the order of the input; also counted below
  std::map<std::string, int> passed_over;  // kind -> objects that are no part of the picture
};

// Reads the files in order, or runs `kubectl get nodes,pods,topologies.kai.scheduler -A -o json`, then adds
// the nodes of `added` and takes `drained` out of use: cordoned, and without their pods. kInvalid when there
// is no node, a topology breaks a rule or a drained node does not exist.
[[nodiscard]] Result<ReadCluster> read_cluster_from(const ClusterOptions& options, const Streams& streams,
                                                    const Environment& environment);

enum class Namespaces : unsigned char { kOne, kAll };

// The same with workloads: kubectl is also asked for those of the namespace, or of all, kind by kind, as far
// as the cluster has the kinds.
[[nodiscard]] Result<ReadCluster> read_cluster_with_workloads(const ClusterOptions& options,
                                                              Namespaces namespaces, const Streams& streams,
                                                              const Environment& environment);

}  // namespace toposeg::cli
