#include "engine/simulation/made_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "common/base/text.h"
#include "common/base/whole_number.h"

namespace toposeg::simulation {
namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30U;
constexpr std::int64_t kMostNodes = 1'000'000;
constexpr std::string_view kHostname = "kubernetes.io/hostname";

struct Level {
  std::string_view label;
  std::string_view alias;
  std::string_view prefix;  // of the names of its domains
};

// One kind of cluster. `inside[i]`: how many domains of level i + 1 a full domain of level i holds.
struct Blueprint {
  std::string_view name;
  std::string_view description;
  std::vector<Level> levels;  // without hosts
  std::vector<std::int64_t> inside;
  std::int64_t domains = 1;  // of the closest level
  std::int64_t nodes = 1;    // in each of them
  std::vector<int> uneven;   // instead: nodes of each domain of the second closest level, filled in turn
  std::int64_t gpus = 8;
  std::int64_t cpus = 128;
};

const std::vector<Blueprint>& blueprints() {
  static const std::vector<Level> racks{{"topology.kubernetes.io/zone", "zone", "zone"},
                                        {"cloud.provider.com/topology-block", "block", "block"},
                                        {"cloud.provider.com/topology-rack", "rack", "rack"}};
  static const std::vector<Blueprint> all{
      {"nvl72",
       "288 racks of 18 nodes, 8 racks a block, 9 blocks a zone",
       racks,
       {9, 8},
       288,
       18,
       {},
       4,
       144},
      {"volcano", "100 racks of 10 nodes, 10 racks a block, one zone", racks, {10, 10}, 100, 10, {}},
      {"eks",
       "three network layers, 64 of the closest with 16 nodes",
       {{"topology.k8s.aws/network-node-layer-1", "layer-1", "nn-1"},
        {"topology.k8s.aws/network-node-layer-2", "layer-2", "nn-2"},
        {"topology.k8s.aws/network-node-layer-3", "layer-3", "nn-3"}},
       {4, 8},
       64,
       16,
       {},
       8,
       192},
      {"gke",
       "blocks, sub-blocks and physical hosts, 48 sub-blocks of 16 nodes",
       {{"cloud.google.com/gce-topology-block", "block", "block"},
        {"cloud.google.com/gce-topology-subblock", "subblock", "subblock"},
        {"cloud.google.com/gce-topology-host", "machine", "machine"}},
       {6, 16},
       768,
       1,
       {},
       8,
       208},
      {"lingjun",
       "847 nodes in pods and segments of uneven size",
       {{"topology.example.com/pod", "pod", "pod"},
        {"topology.example.com/segment", "segment", "segment"},
        {"topology.example.com/rack", "rack", "rack"}},
       {5, 16},
       0,
       8,
       {128, 128, 127, 120, 96, 112, 88, 48},
       8,
       192},
  };
  return all;
}

struct Size {
  std::int64_t domains = 0;
  std::int64_t nodes = 0;
};

// "20x18".
std::optional<Size> parse_size(std::string_view text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) return std::nullopt;
  const Size size{whole_number(text.substr(0, cross)).value_or(0),
                  whole_number(text.substr(cross + 1)).value_or(0)};
  const auto sane = [](std::int64_t number) { return number > 0 && number <= kMostNodes; };
  if (!sane(size.domains) || !sane(size.nodes) || !sane(size.domains * size.nodes)) return std::nullopt;
  return size;
}

// Numbers nodes and domains; names are padded, so that their order is the order of the numbers.
class Builder {
 public:
  explicit Builder(const Blueprint& blueprint) : blueprint_(blueprint) {
    kube::Topology topology{"cluster-topology", {}, "kai.scheduler"};
    for (const Level& level : blueprint.levels) {
      topology.levels.push_back({std::string(level.label), std::string(level.alias)});
    }
    topology.levels.push_back({std::string(kHostname), "host"});
    cluster_.topologies.push_back(std::move(topology));
  }

  // Domain `number` of the closest level, which stands where the full domains before it end.
  void add_domain(std::int64_t number, std::int64_t nodes) {
    std::vector<std::int64_t> path(blueprint_.levels.size(), number);
    for (std::size_t level = path.size() - 1; level-- > 0;)
      path[level] = path[level + 1] / blueprint_.inside[level];
    for (; nodes > 0; --nodes) add_node(path);
  }
  // A domain of the second closest level with so many nodes, in closest ones of the blueprint's size.
  void add_uneven(std::int64_t number, std::int64_t nodes) {
    const std::int64_t before = number * blueprint_.inside.back();
    for (std::int64_t i = 0; nodes > 0; ++i, nodes -= blueprint_.nodes) {
      add_domain(before + i, std::min(nodes, blueprint_.nodes));
    }
  }
  [[nodiscard]] kube::Cluster finish() { return std::move(cluster_); }

 private:
  void add_node(const std::vector<std::int64_t>& path) {
    kube::Node node;
    node.name = fmt::format("node-{:05}", cluster_.nodes.size());
    for (std::size_t i = 0; i < path.size(); ++i) {
      const Level& level = blueprint_.levels[i];
      kube::put(node.labels, level.label, fmt::format("{}-{:04}", level.prefix, path[i]));
    }
    kube::put(node.labels, kHostname, node.name);
    node.allocatable = {{"cpu", blueprint_.cpus * 1000},
                        {"memory", blueprint_.gpus * 128 * kGiB},
                        {"nvidia.com/gpu", blueprint_.gpus},
                        {"pods", 110}};
    cluster_.nodes.push_back(std::move(node));
  }

  const Blueprint& blueprint_;
  kube::Cluster cluster_;
};

// Where the closest level is the machine itself, a size means the level above.
Blueprint resized(Blueprint blueprint, const Size& size) {
  const bool machines = blueprint.nodes == 1;
  if (machines) blueprint.inside.back() = size.nodes;
  blueprint.domains = machines ? size.domains * size.nodes : size.domains;
  blueprint.nodes = machines ? 1 : size.nodes;
  blueprint.uneven.clear();
  return blueprint;
}

kube::Cluster build(const Blueprint& blueprint) {
  Builder builder(blueprint);
  if (!blueprint.uneven.empty()) {
    for (std::size_t i = 0; i < blueprint.uneven.size(); ++i) {
      builder.add_uneven(static_cast<std::int64_t>(i), blueprint.uneven[i]);
    }
  } else {
    for (std::int64_t i = 0; i < blueprint.domains; ++i) builder.add_domain(i, blueprint.nodes);
  }
  return builder.finish();
}

}  // namespace

const std::vector<ClusterName>& made_clusters() {
  static const std::vector<ClusterName> names = [] {
    std::vector<ClusterName> all;
    for (const Blueprint& blueprint : blueprints()) all.push_back({blueprint.name, blueprint.description});
    return all;
  }();
  return names;
}

Result<kube::Cluster> make_cluster(std::string_view name) {
  const std::size_t colon = name.find(':');
  std::vector<std::string_view> known;
  for (const Blueprint& blueprint : blueprints()) {
    known.push_back(blueprint.name);
    if (blueprint.name != name.substr(0, colon)) continue;
    if (colon == std::string_view::npos) return build(blueprint);
    const auto size = parse_size(name.substr(colon + 1));
    if (size) return build(resized(blueprint, *size));
    return fail(Code::kInvalid,
                fmt::format("{} is no size; write domains x nodes, such as 20x18, of at most {} nodes",
                            quote(name.substr(colon + 1)), kMostNodes));
  }
  return fail(Code::kInvalid,
              fmt::format("{} is no kind of cluster{}; there are {}", quote(name.substr(0, colon)),
                          did_you_mean(name.substr(0, colon), known), join(known, ", ")));
}

}  // namespace toposeg::simulation
