#include "cluster_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "common/kube/quantity.h"

namespace toposeg::cases {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kKnownLevels{{
    {"zone", "topology.kubernetes.io/zone"},
    {"block", "cloud.provider.com/topology-block"},
    {"rack", "cloud.provider.com/topology-rack"},
    {"host", "kubernetes.io/hostname"},
}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kResources{{
    {"gpu", "nvidia.com/gpu"},
    {"cpu", "cpu"},
    {"mem", "memory"},
    {"pods", "pods"},
    {"rdma", "rdma/hca"},
    {"disk", "ephemeral-storage"},
}};

// Where an attribute word stands, for errors.
struct Place {
  const std::string& file;
  int line;
  [[nodiscard]] std::string text() const { return fmt::format("{}:{}", file, line); }
  [[nodiscard]] std::unexpected<Error> wrong(std::string message) const {
    return fail(Code::kInvalid, std::move(message), text());
  }
};

std::string_view resource_name(std::string_view key) {
  for (const auto& [word, name] : kResources) {
    if (word == key) return name;
  }
  return {};
}

Result<kube::Taint> read_taint(const std::string& text, const Place& place) {
  const auto colon = text.rfind(':');
  kube::Taint taint;
  const Attribute left = attribute(std::string_view(text).substr(0, colon));
  taint.key = left.key;
  taint.value = left.value;
  const std::string effect = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (effect == "NoSchedule") return taint;
  taint.effect = effect == "NoExecute" ? kube::TaintEffect::kNoExecute : kube::TaintEffect::kPreferNoSchedule;
  if (effect != "NoExecute" && effect != "PreferNoSchedule") {
    return place.wrong("a taint is written key=value:NoSchedule");
  }
  return taint;
}

Result<void> set_resource(kube::ResourceList& list, std::string_view name, const std::string& text,
                          const Place& place) {
  const auto amount = kube::parse_amount(name, text);
  if (!amount) return place.wrong(amount.error().text());
  kube::put(list, name, *amount);
  return {};
}

void drop_label(kube::Node& node, const std::string& label) {
  std::erase_if(node.labels, [&](const auto& entry) { return entry.first == label; });
}

Result<void> apply_attribute(kube::Node& node, const std::string& word, const Place& place) {
  const Attribute part = attribute(word);
  if (const auto resource = resource_name(part.key); !resource.empty()) {
    return set_resource(node.allocatable, resource, part.value, place);
  }
  if (word == "cordoned") {
    node.unschedulable = true;
  } else if (word == "notready") {
    node.ready = false;
  } else if (part.key == "name") {
    node.name = part.value;
  } else if (part.key == "without") {
    drop_label(node, level_label(part.value));
  } else if (part.key == "label") {
    const Attribute label = attribute(part.value);
    kube::put(node.labels, label.key, label.value);
  } else if (part.key == "taint") {
    auto taint = read_taint(part.value, place);
    if (!taint) return std::unexpected(taint.error());
    node.taints.push_back(*std::move(taint));
  } else {
    return place.wrong(fmt::format("'{}' is no attribute of a node", word));
  }
  return {};
}

kube::Node fresh_node(const kube::Topology& topology, std::span<const std::string> values, std::string name) {
  kube::Node node;
  node.name = std::move(name);
  kube::put(node.allocatable, "cpu", std::int64_t{128'000});
  kube::put(node.allocatable, "memory", std::int64_t{1} << 40U);
  kube::put(node.allocatable, "pods", std::int64_t{110});
  kube::put(node.labels, "kubernetes.io/hostname", node.name);
  for (std::size_t i = 0; i < topology.levels.size(); ++i) {
    kube::put(node.labels, topology.levels[i].node_label, values[i]);
  }
  return node;
}

Result<void> add_node(kube::Cluster& into, std::span<const std::string> line, const Place& place) {
  const kube::Topology& topology = into.topologies.front();
  const bool ends_with_host = topology.levels.back().node_label == level_label("host");
  const std::size_t values = topology.levels.size() + (ends_with_host ? 0 : 1);
  if (line.size() < values) {
    return place.wrong(fmt::format("a node needs {} names, one a level and its own", values));
  }
  kube::Node node = fresh_node(topology, line, line[values - 1]);
  for (const std::string& word : line.subspan(values)) {
    if (auto done = apply_attribute(node, word, place); !done) return done;
  }
  into.nodes.push_back(std::move(node));
  return {};
}

// Child names count from 1 inside each parent, padded so that their bytewise order is their number's.
std::string child_name(const std::string& level, int index, int count) {
  return fmt::format("{}-{:0{}}", level, index + 1, std::to_string(count).size());
}

Result<void> add_grid(kube::Cluster& into, std::span<const std::string> line, const Place& place) {
  const kube::Topology& topology = into.topologies.front();
  const std::size_t levels = topology.levels.size();
  if (line.size() < levels) return place.wrong(fmt::format("grid needs {} numbers, one a level", levels));
  std::vector<int> counts;
  int total = 1;
  for (const std::string& word : line.first(levels)) {
    const auto count = number(word, place.text());
    if (!count) return std::unexpected(count.error());
    counts.push_back(*count);
    total *= *count;
  }
  const bool ends_with_host = topology.levels.back().node_label == level_label("host");
  const std::size_t width = std::to_string(std::max(total - 1, 1)).size();
  for (int i = 0; i < total; ++i) {
    const std::string name = fmt::format("n{:0{}}", i, width);
    std::vector<std::string> values(levels);
    int rest = i;
    for (std::size_t level = levels; level-- > 0; rest /= counts[level]) {
      const std::string& alias = topology.levels[level].alias;
      values[level] = child_name(alias, rest % counts[level], counts[level]);
    }
    if (ends_with_host) values.back() = name;
    kube::Node node = fresh_node(topology, values, name);
    for (const std::string& word : line.subspan(levels)) {
      if (auto done = apply_attribute(node, word, place); !done) return done;
    }
    into.nodes.push_back(std::move(node));
  }
  return {};
}

// `n3`, or `n1..n7` for all nodes between them in the order of the file.
Result<std::span<kube::Node>> find_nodes(kube::Cluster& cluster, const std::string& word,
                                         const Place& place) {
  const auto dots = word.find("..");
  const std::string first = word.substr(0, dots);
  const std::string last = dots == std::string::npos ? first : word.substr(dots + 2);
  const auto named = [](const std::string& name) {
    return [&name](const kube::Node& node) { return node.name == name; };
  };
  const auto begin = std::ranges::find_if(cluster.nodes, named(first));
  const auto end = std::find_if(begin, cluster.nodes.end(), named(last));
  if (end == cluster.nodes.end())
    return place.wrong(fmt::format("there is no node '{}' above this line", word));
  return std::span<kube::Node>(begin, end + 1);
}

Result<void> change_nodes(kube::Cluster& into, std::span<const std::string> line, const Place& place) {
  if (line.size() < 2) return place.wrong("write: change NODE ATTRIBUTE…");
  auto nodes = find_nodes(into, line.front(), place);
  if (!nodes) return std::unexpected(nodes.error());
  for (kube::Node& node : *nodes) {
    for (const std::string& word : line.subspan(1)) {
      if (auto done = apply_attribute(node, word, place); !done) return done;
    }
  }
  return {};
}

void add_topology(kube::Cluster& into, std::string name, std::span<const std::string> levels) {
  kube::Topology topology{.name = std::move(name), .levels = {}, .api_group = "kai.scheduler"};
  for (const std::string& level : levels) topology.levels.push_back({level_label(level), level});
  into.topologies.push_back(std::move(topology));
}

Result<void> read_cluster_line(const std::vector<std::string>& line, const Place& place,
                               kube::Cluster& into) {
  const std::span<const std::string> rest = std::span(line).subspan(1);
  if (line.front() == "levels") {
    if (rest.empty()) return place.wrong("write: levels NAME…, broad to close");
    add_topology(into, "cluster-topology", rest);
    return {};
  }
  if (line.front() == "topology") {
    if (rest.size() < 2) return place.wrong("write: topology NAME LEVEL…");
    add_topology(into, rest.front(), rest.subspan(1));
    return {};
  }
  if (into.topologies.empty()) return place.wrong("the first line of a cluster is: levels NAME…");
  if (line.front() == "grid") return add_grid(into, rest, place);
  if (line.front() == "change") return change_nodes(into, rest, place);
  if (line.front() == "no-topology") {
    into.topologies.clear();
    return {};
  }
  return add_node(into, line, place);
}

Result<void> read_pod_attribute(kube::Pod& pod, const std::string& word, const Place& place) {
  const Attribute part = attribute(word);
  if (const auto resource = resource_name(part.key); !resource.empty() && resource != "pods") {
    return set_resource(pod.requests, resource, part.value, place);
  }
  if (word == "succeeded") {
    pod.phase = kube::PodPhase::kSucceeded;
  } else if (word == "failed") {
    pod.phase = kube::PodPhase::kFailed;
  } else if (word == "terminating") {
    pod.terminating = true;
  } else if (part.key == "port") {
    const auto port = number(part.value, place.text());
    if (!port) return std::unexpected(port.error());
    pod.host_ports.push_back({.port = *port, .protocol = "TCP", .ip = "0.0.0.0"});
  } else {
    return place.wrong(fmt::format("'{}' is no attribute of a pod", word));
  }
  return {};
}

kube::Pod stranger(std::size_t index, const std::string& node) {
  kube::Pod pod;
  pod.namespace_ = "strangers";
  pod.name = fmt::format("stranger-{}", index);
  pod.uid = fmt::format("uid-{}", index);
  pod.node_name = node;
  pod.phase = node.empty() ? kube::PodPhase::kPending : kube::PodPhase::kRunning;
  return pod;
}

Result<void> read_pods_line(const std::vector<std::string>& line, const Place& place, kube::Cluster& into) {
  std::vector<std::string> hosts;
  std::span<const std::string> rest = std::span(line).subspan(1);
  if (line.front() == "pending") {
    hosts.emplace_back();
  } else {
    auto nodes = find_nodes(into, line.front(), place);
    if (!nodes) return std::unexpected(nodes.error());
    for (const kube::Node& node : *nodes) hosts.push_back(node.name);
  }
  for (const std::string& host : hosts) {
    kube::Pod pod = stranger(into.pods.size(), host);
    for (const std::string& word : rest) {
      if (auto done = read_pod_attribute(pod, word, place); !done) return done;
    }
    into.pods.push_back(std::move(pod));
  }
  return {};
}

}  // namespace

std::string level_label(std::string_view name) {
  for (const auto& [word, label] : kKnownLevels) {
    if (word == name) return std::string(label);
  }
  return name.find('/') == std::string_view::npos ? fmt::format("example.com/{}", name) : std::string(name);
}

Result<void> read_cluster_section(const Section& section, const std::string& file, kube::Cluster& into) {
  for (const Line& line : section.lines) {
    if (auto done = read_cluster_line(words(line.text), {file, line.number}, into); !done) return done;
  }
  return {};
}

Result<void> read_pods_section(const Section& section, const std::string& file, kube::Cluster& into) {
  for (const Line& line : section.lines) {
    if (auto done = read_pods_line(words(line.text), {file, line.number}, into); !done) return done;
  }
  return {};
}

}  // namespace toposeg::cases
