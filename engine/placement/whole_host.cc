// The pod that takes one whole host, for questions that name no pod.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/kube/filters.h"
#include "engine/placement/state.h"

namespace toposeg::engine {

namespace {

// The largest amount that at least half of these nodes offer; 0 = of no node.
std::int64_t offered_by_most(const std::vector<const kube::Node*>& nodes, const std::string& resource) {
  std::vector<std::int64_t> amounts;
  amounts.reserve(nodes.size());
  for (const kube::Node* node : nodes) {
    const std::int64_t* amount = kube::find(node->allocatable, resource);
    amounts.push_back(amount == nullptr ? 0 : *amount);
  }
  if (amounts.empty()) return 0;
  std::sort(amounts.begin(), amounts.end(), std::greater<>());
  return amounts[(amounts.size() - 1) / 2];
}

// The device that most nodes have, the first by name among equals.
std::optional<std::string> commonest_device(const std::vector<const kube::Node*>& nodes) {
  std::map<std::string, int> owners;
  for (const kube::Node* node : nodes) {
    for (const auto& [resource, amount] : node->allocatable) {
      if (amount > 0 && resource.find('/') != std::string::npos) ++owners[resource];
    }
  }
  const auto most = std::max_element(owners.begin(), owners.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == owners.end() ? std::nullopt : std::optional(most->first);
}

// Of the taints that at least half of the nodes carry, as pools of devices do to keep other pods off.
std::vector<kube::Toleration> tolerations_for(const std::vector<const kube::Node*>& nodes) {
  std::map<std::pair<std::string, std::string>, std::size_t> carriers;
  for (const kube::Node* node : nodes) {
    std::set<std::pair<std::string, std::string>> own;
    for (const kube::Taint& taint : node->taints) {
      if (!kube::tells_of_health(taint)) own.emplace(taint.key, taint.value);
    }
    for (const auto& taint : own) ++carriers[taint];
  }
  std::vector<kube::Toleration> tolerations;
  for (const auto& [taint, count] : carriers) {
    if (2 * count >= nodes.size()) tolerations.push_back({taint.first, taint.second, false, std::nullopt});
  }
  return tolerations;
}

}  // namespace

kube::PodSpec Engine::State::whole_host(const std::string& topology) {
  kube::PodSpec pod;
  const Result<const kube::Topology*> found = find_topology(topology);
  if (!found) return pod;
  const std::shared_ptr<const Tree> tree = views.tree((*found)->name);
  std::vector<const kube::Node*> nodes;
  const VertexRange leaves = tree->at_level(tree->levels());
  nodes.reserve(leaves.size());
  for (Vertex leaf = leaves.begin; leaf < leaves.end; ++leaf) nodes.push_back(books.node(tree->name(leaf)));
  if (const std::optional<std::string> device = commonest_device(nodes)) {
    std::erase_if(nodes,
                  [&](const kube::Node* node) { return kube::find(node->allocatable, *device) == nullptr; });
    kube::put(pod.requests, *device, offered_by_most(nodes, *device));
    pod.tolerations = tolerations_for(nodes);
    return pod;
  }
  for (const std::string resource : {"cpu", "memory"}) {
    const std::int64_t amount = offered_by_most(nodes, resource);
    if (amount > 0) kube::put(pod.requests, resource, amount);
  }
  pod.tolerations = tolerations_for(nodes);
  return pod;
}

}  // namespace toposeg::engine
