#include <nlohmann/json.hpp>
#include <ostream>

#include "common/kube/quantity.h"
#include "engine/cli/commands.h"
#include "engine/cli/exit_status.h"
#include "engine/cli/session.h"
#include "engine/cli/yaml_text.h"
#include "engine/simulation/made_cluster.h"

namespace toposeg::cli {
namespace {

using nlohmann::ordered_json;

ordered_json topology_object(const kube::Topology& topology) {
  ordered_json levels = ordered_json::array();
  for (const kube::TopologyLevel& level : topology.levels) {
    ordered_json entry{{"nodeLabel", level.node_label}};
    if (!level.alias.empty()) entry["alias"] = level.alias;
    levels.push_back(std::move(entry));
  }
  return {{"apiVersion", topology.api_group + "/v1alpha1"},
          {"kind", "Topology"},
          {"metadata", {{"name", topology.name}}},
          {"spec", {{"levels", std::move(levels)}}}};
}

ordered_json node_object(const kube::Node& node) {
  ordered_json labels = ordered_json::object();
  for (const auto& [key, value] : node.labels) labels[key] = value;
  ordered_json allocatable = ordered_json::object();
  for (const auto& [resource, amount] : node.allocatable) {
    allocatable[resource] = kube::format_amount(resource, amount);
  }
  const ordered_json ready{{"type", "Ready"}, {"status", "True"}};
  return {
      {"apiVersion", "v1"},
      {"kind", "Node"},
      {"metadata", {{"name", node.name}, {"labels", std::move(labels)}}},
      {"status", {{"allocatable", std::move(allocatable)}, {"conditions", ordered_json::array({ready})}}}};
}

}  // namespace

int generate_command(const Options& options, const Streams& streams, const Environment& environment) {
  (void)environment;
  const auto cluster = simulation::make_cluster(options.simulate.generated);
  if (!cluster) {
    print_errors(streams.err, {cluster.error()});
    return kExitInvalid;
  }
  ordered_json items = ordered_json::array();
  for (const kube::Topology& topology : cluster->topologies) items.push_back(topology_object(topology));
  for (const kube::Node& node : cluster->nodes) items.push_back(node_object(node));
  const ordered_json list{{"apiVersion", "v1"}, {"kind", "List"}, {"items", std::move(items)}};
  if (options.output == "json") {
    streams.out << list.dump(2) << '\n';
  } else {
    write_yaml(streams.out, list);
  }
  return kExitPlaced;
}

}  // namespace toposeg::cli
