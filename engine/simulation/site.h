// The place where jobs run: a cluster and one of its topologies.
#pragma once

#include <memory>
#include <string>

#include "common/base/error.h"
#include "common/kube/records.h"
#include "engine/topology/tree.h"

namespace toposeg::simulation {

struct Site {
  kube::Cluster cluster;
  kube::Topology topology;
  std::shared_ptr<engine::NodeNames> names;  // of the tree; books beside it must use them too
  std::shared_ptr<const engine::Tree> tree;
  kube::PodSpec whole_host;  // a pod that takes one host; what a trace means when it names no resources
};

// `topology` empty = the only one. kNotFound names what exists; kUnfit when no node stands in it.
[[nodiscard]] Result<Site> make_site(kube::Cluster cluster, const std::string& topology);

// The level that a person names: by node label, alias, or the short name that tables show. kNotFound lists
// them.
[[nodiscard]] Result<int> find_level(const Site& site, const std::string& name);

}  // namespace toposeg::simulation
