#include "engine/simulation/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "common/base/text.h"
#include "common/kube/read.h"
#include "engine/placement/engine.h"
#include "engine/placement/scope.h"

namespace toposeg::simulation {
namespace {

Result<kube::Topology> choose(const std::vector<kube::Topology>& topologies, const std::string& name) {
  if (name.empty() && topologies.size() == 1) return topologies.front();
  std::vector<std::string> names;
  for (const kube::Topology& topology : topologies) {
    if (topology.name == name) return topology;
    names.push_back(topology.name);
  }
  if (names.empty()) return fail(Code::kNotFound, "the cluster has no Topology");
  const std::string there = "there are: " + join(names, ", ");
  if (name.empty()) return fail(Code::kNotFound, "it is not clear which topology to use; " + there);
  return fail(Code::kNotFound, fmt::format("topology {} does not exist; {}", quote(name), there));
}

}  // namespace

Result<Site> make_site(kube::Cluster cluster, const std::string& topology) {
  auto chosen = choose(kube::counting_topologies(cluster.topologies), topology);
  if (!chosen) return std::unexpected(chosen.error());
  Site site{std::move(cluster), std::move(*chosen), std::make_shared<engine::NodeNames>(), nullptr, {}};
  std::vector<const kube::Node*> nodes;
  for (const kube::Node& node : site.cluster.nodes) {
    nodes.push_back(&node);
    site.names->intern(node.name);
  }
  site.tree = engine::Tree::build(site.topology, nodes, site.names);
  if (site.tree->node_count() == 0) {
    return fail(Code::kUnfit,
                fmt::format("no node has all the labels of topology {}", quote(site.topology.name)));
  }
  const SystemClock clock;
  engine::Engine engine({}, clock);
  engine.replace(site.cluster);
  site.whole_host = engine.whole_host(site.topology.name);
  return site;
}

Result<int> find_level(const Site& site, const std::string& name) {
  std::vector<std::string> names;
  for (int level = 0; level < site.tree->levels(); ++level) {
    const kube::TopologyLevel& known = site.topology.levels[static_cast<std::size_t>(level)];
    names.push_back(engine::short_name(site.topology, level));
    if (name == known.node_label || name == known.alias || name == names.back()) return level;
  }
  return fail(Code::kNotFound, fmt::format("{} is no level of topology {}; its levels are {}", quote(name),
                                           quote(site.topology.name), join(names, ", ")));
}

}  // namespace toposeg::simulation
