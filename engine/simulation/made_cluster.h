// Clusters of the shapes that people run, from their names. docs/simulate.md tells what is public and what
// is made up.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/kube/records.h"

namespace toposeg::simulation {

struct ClusterName {
  std::string_view name;
  std::string_view description;
};
[[nodiscard]] const std::vector<ClusterName>& made_clusters();

// "nvl72", or "nvl72:20x18" for another number of the closest domains and of nodes in each, filled into the
// levels above as the original is. Idle and healthy. kInvalid names what there is; at most 1,000,000 nodes.
[[nodiscard]] Result<kube::Cluster> make_cluster(std::string_view name);

}  // namespace toposeg::simulation
