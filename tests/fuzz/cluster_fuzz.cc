// Any bytes as a cluster file, YAML or JSON: a fault is told in one line with its place; what is read as a
// stream is what is read object by object; and whatever was read, the engine answers for it.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "common/config/config.h"
#include "common/json/pointer.h"
#include "common/kube/read.h"
#include "common/workload/normalise.h"
#include "engine/placement/engine.h"

namespace {

namespace config = toposeg::config;
namespace engine = toposeg::engine;
namespace json = toposeg::json;
namespace kube = toposeg::kube;
namespace workload = toposeg::workload;

constexpr std::size_t kMostNodes = 40;  // that the engine is asked about

void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

void check_fault(const toposeg::Error& fault) {
  const std::string text = fault.text();
  demand(text.starts_with("fuzz"), "a fault without its place");
  demand(text.find_first_of("\n\r") == std::string::npos, "a fault of several lines");
}

std::vector<kube::Node> nodes_of(const std::vector<json::Document>& documents) {
  std::vector<kube::Node> nodes;
  for (const json::Document& document : documents) {
    if (json::member_text(&document, "kind") != "Node") continue;
    const std::size_t slash = json::member_text(&document, "apiVersion").find('/');
    if (slash != std::string::npos && slash != 0) continue;
    const auto node = kube::read_node(document);
    demand(node.has_value(), "a node is read from the stream only");
    nodes.push_back(*node);
  }
  return nodes;
}

void sort_by_name(std::vector<kube::Node>& nodes) {
  std::sort(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
}

void check_nodes(std::vector<kube::Node> streamed, const std::vector<json::Document>& documents) {
  // Of a bare array only a cluster file takes the elements for objects.
  if (std::any_of(documents.begin(), documents.end(),
                  [](const auto& document) { return document.is_array(); }))
    return;
  std::vector<kube::Node> whole = nodes_of(documents);
  sort_by_name(streamed);
  sort_by_name(whole);
  demand(streamed == whole, "nodes differ when they are read as a stream");
  const auto same_name = [](const auto& a, const auto& b) { return a.name == b.name; };
  demand(std::adjacent_find(whole.begin(), whole.end(), same_name) == whole.end(), "a node is there twice");
}

void ask(engine::Engine& engine, const kube::Topology& topology, const kube::PodSpec& shape) {
  const auto slots = engine.slots(topology.name, shape, {1, 3});
  demand(slots.has_value(), "no slots of a topology that is there");
  for (const engine::SlotsRow& row : slots->rows) {
    demand(row.slots[0] >= row.slots[1] && row.slots[1] >= 0, "larger segments fit more often");
    demand(row.slots[0] == slots->pods, "some level loses pods");
  }
  workload::Workload job;
  job.identity = {"kubeflow.org", "PyTorchJob", "n", "j", ""};
  job.segments = {5, 2, workload::SegmentRule::kPlain};
  job.needed_segments = 3;
  job.topology = topology.name;
  job.segment.required = topology.levels.back().node_label;
  job.worker = shape;
  const engine::Plan plan = engine.plan(job, {.reserve = true});
  demand(plan.refused.empty() || !plan.fits, "a plan that is refused fits");
}

void plan_on(const kube::Cluster& cluster) {
  const toposeg::ManualClock clock;
  engine::Engine engine({}, clock);
  engine.replace(cluster);
  for (const kube::Topology& topology : engine.topologies()) {
    if (!kube::validate_topology(topology).empty()) continue;
    ask(engine, topology, {});
    ask(engine, topology, engine.whole_host(topology.name));
    demand(engine.view(topology.name, {}).has_value(), "a topology cannot be shown");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const config::Config defaults = config::defaults();
  const std::string text(reinterpret_cast<const char*>(data), size);
  kube::Cluster cluster;
  std::vector<json::Document> others;
  std::istringstream input(text);
  const auto read = kube::read_cluster_and_others(
      input, "fuzz", cluster, [&](const json::Document& object) { others.push_back(object); });
  const auto documents = kube::read_documents(text, "fuzz");
  if (!read) check_fault(read.error());
  if (!documents) check_fault(documents.error());
  if (read && documents) check_nodes(cluster.nodes, *documents);
  const workload::NormaliseContext context{cluster.topologies, defaults.workloads, {}};
  for (const json::Document& object : others) {
    if (workload::is_workload(object)) (void)workload::normalise(object, context);
  }
  if (read && cluster.nodes.size() <= kMostNodes) plan_on(cluster);
  return 0;
}
