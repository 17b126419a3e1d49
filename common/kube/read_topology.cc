#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <tuple>

#include "common/base/text.h"
#include "common/kube/fields.h"
#include "common/kube/read.h"

namespace toposeg::kube {

namespace {

constexpr std::size_t kMostLevels = 16;
constexpr std::string_view kHostname = "kubernetes.io/hostname";

bool is_name_part(std::string_view text) {
  const auto inner = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.'; };
  const auto outer = [](unsigned char c) { return std::isalnum(c) != 0; };
  return !text.empty() && text.size() <= 63 && outer(text.front()) && outer(text.back()) &&
         std::all_of(text.begin(), text.end(), inner);
}

// prefix/name with a DNS prefix of at most 253 characters, or a name alone.
bool is_label_key(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return is_name_part(key);
  const std::string_view prefix = key.substr(0, slash);
  const auto dns = [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-' || c == '.';
  };
  return !prefix.empty() && prefix.size() <= 253 && std::all_of(prefix.begin(), prefix.end(), dns) &&
         is_name_part(key.substr(slash + 1));
}

void check_level(const Topology& topology, std::size_t i, std::vector<Error>& faults) {
  const TopologyLevel& level = topology.levels[i];
  const std::string at = element("spec.levels", i);
  const auto fault = [&](std::string_view key, std::string message) {
    faults.push_back({Code::kInvalid, std::move(message), field(at, key)});
  };
  if (level.node_label.empty()) {
    fault("nodeLabel", "a level needs the node label that tells its domains apart");
  } else if (!is_label_key(level.node_label)) {
    fault("nodeLabel", fmt::format("{} is no label key: write prefix/name", quote(level.node_label)));
  }
  if (level.node_label == kHostname && i + 1 != topology.levels.size()) {
    fault("nodeLabel", fmt::format("{} must be the last level: nothing is closer than a host", kHostname));
  }
  for (std::size_t k = 0; k < topology.levels.size(); ++k) {
    const TopologyLevel& other = topology.levels[k];
    if (k < i && !level.node_label.empty() && other.node_label == level.node_label) {
      fault("nodeLabel", fmt::format("{} is already level {}: each level needs its own label",
                                     quote(level.node_label), k));
    }
    if (level.alias.empty() || k == i) continue;
    if (k < i && other.alias == level.alias) {
      fault("alias", fmt::format("{} is already the alias of level {}", quote(level.alias), k));
    }
    if (other.node_label == level.alias) {
      fault("alias", fmt::format("{} is the label of level {}: choose another alias", quote(level.alias), k));
    }
  }
}

}  // namespace

Result<Topology> read_topology(const json::Document& object) {
  Topology topology;
  const auto name = text_field(json::member(&object, "metadata"), "name", "metadata");
  if (!name) return std::unexpected(name.error());
  if (name->empty()) return fail(Code::kInvalid, "a topology needs a name", "metadata.name");
  topology.name = *name;
  const auto version = text_field(&object, "apiVersion", "");
  if (!version) return std::unexpected(version.error());
  topology.api_group = version->substr(0, version->find('/'));
  const auto levels = objects_field(json::member(&object, "spec"), "levels", "spec");
  if (!levels) return std::unexpected(levels.error());
  for (std::size_t i = 0; i < levels->size(); ++i) {
    const json::Document& entry = *(*levels)[i];
    const std::string at = element("spec.levels", i);
    const auto label = text_field(&entry, "nodeLabel", at);
    if (!label) return std::unexpected(label.error());
    const auto alias = text_field(&entry, "alias", at);
    if (!alias) return std::unexpected(alias.error());
    topology.levels.push_back({*label, *alias});
  }
  return topology;
}

std::vector<Error> validate_topology(const Topology& topology) {
  std::vector<Error> faults;
  if (topology.levels.empty() || topology.levels.size() > kMostLevels) {
    faults.push_back({Code::kInvalid,
                      fmt::format("a topology has 1 to {} levels, broad to close; this one has {}",
                                  kMostLevels, topology.levels.size()),
                      "spec.levels"});
  }
  for (std::size_t i = 0; i < topology.levels.size(); ++i) check_level(topology, i, faults);
  return faults;
}

std::vector<Topology> counting_topologies(std::vector<Topology> topologies) {
  std::sort(topologies.begin(), topologies.end(), [](const Topology& a, const Topology& b) {
    return std::tie(a.name, a.api_group) < std::tie(b.name, b.api_group);
  });
  const auto same_name = [](const Topology& a, const Topology& b) { return a.name == b.name; };
  topologies.erase(std::unique(topologies.begin(), topologies.end(), same_name), topologies.end());
  return topologies;
}

}  // namespace toposeg::kube
