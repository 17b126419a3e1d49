// Where the picture of the cluster comes from: files, or kubectl.
#pragma once

#include <map>
#include <string>

#include "common/base/error.h"
#include "common/kube/records.h"
#include "engine/cli/environment.h"
#include "engine/cli/options.h"
#include "engine/cli/streams.h"

namespace toposeg::cli {

struct ReadCluster {
  kube::Cluster cluster;
  std::map<std::string, int> passed_over;  // kind -> objects that are no part of the picture
};

// Reads the files in order, or runs `kubectl get nodes,pods,topologies.kai.scheduler -A -o json`, then adds
// the nodes of `added` and takes `drained` out of use: cordoned, and without their pods. kInvalid when there
// is no node, a topology breaks a rule or a drained node does not exist.
[[nodiscard]] Result<ReadCluster> read_cluster_from(const ClusterOptions& options, const Streams& streams,
                                                    const Environment& environment);

}  // namespace toposeg::cli
