// How close nodes stand together, by their own labels.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/kube/records.h"
#include "engine/cli/workload_status.h"

namespace toposeg::cli {

class NodeDomains {
 public:
  // Without a topology there are no domains.
  NodeDomains(const std::optional<kube::Topology>& topology, const std::vector<kube::Node>& nodes);

  // The closest domain that holds every pod with a node. A domain is its whole path: two racks of one name
  // under two blocks are two.
  [[nodiscard]] Reached common(const std::vector<PodStatus>& pods) const;

  // Nodes of the pods that are unknown or lack a label, a line each.
  [[nodiscard]] std::vector<std::string> faults(const std::vector<PodStatus>& pods) const;

  // Index of a level by its node label.
  [[nodiscard]] std::optional<int> level_of(std::string_view label) const;

 private:
  // Label values from the top level down, up to the first one that is missing.
  [[nodiscard]] std::vector<std::string> path(const std::string& node) const;

  std::vector<std::string> labels_;
  std::map<std::string, const kube::Node*, std::less<>> nodes_;
};

}  // namespace toposeg::cli
