#include "engine/cli/common_domain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "common/base/text.h"

namespace toposeg::cli {

NodeDomains::NodeDomains(const std::optional<kube::Topology>& topology,
                         const std::vector<kube::Node>& nodes) {
  if (topology) {
    for (const kube::TopologyLevel& level : topology->levels) labels_.push_back(level.node_label);
  }
  for (const kube::Node& node : nodes) nodes_.emplace(node.name, &node);
}

std::vector<std::string> NodeDomains::path(const std::string& node) const {
  std::vector<std::string> values;
  const auto found = nodes_.find(node);
  if (found == nodes_.end()) return values;
  for (const std::string& label : labels_) {
    const std::string* value = kube::find(found->second->labels, label);
    if (value == nullptr) break;
    values.push_back(*value);
  }
  return values;
}

Reached NodeDomains::common(const std::vector<PodStatus>& pods) const {
  std::optional<std::vector<std::string>> shared;
  for (const PodStatus& pod : pods) {
    if (pod.node.empty()) continue;
    std::vector<std::string> other = path(pod.node);
    if (!shared) {
      shared = std::move(other);
      continue;
    }
    const auto [end, unused] = std::mismatch(shared->begin(), shared->end(), other.begin(), other.end());
    shared->erase(end, shared->end());
  }
  if (!shared || shared->empty()) return {};
  return {static_cast<int>(shared->size()) - 1, std::move(*shared)};
}

std::vector<std::string> NodeDomains::faults(const std::vector<PodStatus>& pods) const {
  std::set<std::string> lines;
  for (const PodStatus& pod : pods) {
    if (pod.node.empty() || labels_.empty()) continue;
    const std::size_t known = path(pod.node).size();
    if (nodes_.find(pod.node) == nodes_.end()) {
      lines.insert(fmt::format("node {} is not among the nodes of the cluster", quote(pod.node)));
    } else if (known < labels_.size()) {
      lines.insert(fmt::format("node {} has no label {}", quote(pod.node), labels_[known]));
    }
  }
  return {lines.begin(), lines.end()};
}

std::optional<int> NodeDomains::level_of(std::string_view label) const {
  const auto found = std::find(labels_.begin(), labels_.end(), label);
  if (found == labels_.end()) return std::nullopt;
  return static_cast<int>(found - labels_.begin());
}

}  // namespace toposeg::cli
