#include "engine/simulation/floor.h"

#include <fmt/format.h>

#include "common/kube/quantity.h"

namespace toposeg::simulation {
namespace {

std::string key_of(std::size_t number, int pod) { return fmt::format("job/{}/{}", number, pod); }

bool is_whole(const Job& job, const Placement& placement) {
  const std::vector<int> segments = job.segments();
  if (placement.size() != segments.size()) return false;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (placement[i].size() != static_cast<std::size_t>(segments[i])) return false;
  }
  return true;
}

}  // namespace

Floor::Floor(const Site& site) : site_(site), books_(site.names) {
  for (const kube::Node& node : site.cluster.nodes) books_.upsert(node);
  for (const kube::Pod& pod : site.cluster.pods) {
    if (pod.node_name.empty() || pod.ended()) continue;
    books_.charge(fmt::format("pod/{}/{}", pod.namespace_, pod.name), pod.node_name, pod.requests,
                  pod.host_ports);
  }
  if (!site.whole_host.requests.empty()) resource_ = site.whole_host.requests.front().first;
  const engine::VertexRange leaves = site.tree->at_level(site.tree->levels());
  const engine::CapacityView& room = this->room({});
  for (engine::Vertex leaf = leaves.begin; leaf < leaves.end; ++leaf) {
    if (room.capacity(leaf) == 0) continue;
    const engine::NodeId node = *books_.id(site.tree->name(leaf));
    offered_ += resource_.empty() ? room.capacity(leaf) : books_.free(node, resource_);
  }
}

const engine::CapacityView& Floor::room(const kube::PodSpec& pod) { return *views_.view(site_.tree, pod); }

std::int64_t Floor::weight(const kube::PodSpec& pod) const {
  if (resource_.empty()) return 1;
  const std::int64_t* amount = kube::find(pod.requests, resource_);
  return amount == nullptr ? 0 : *amount;
}

Result<void> Floor::take(std::size_t number, const Job& job, const Placement& placement) {
  if (!is_whole(job, placement)) {
    return fail(Code::kInternal, "a policy placed some of the pods only", job.name);
  }
  Holding& holding = holdings_[number];
  for (const std::vector<engine::Vertex>& segment : placement) {
    for (const engine::Vertex leaf : segment) {
      const std::string& host = site_.tree->name(leaf);
      if (books_.capacity(*books_.id(host), job.pod) < 1) {
        give_back(number);
        return fail(Code::kInternal, fmt::format("a policy put a pod on {}, which has no room", host),
                    job.name);
      }
      books_.charge(key_of(number, holding.pods++), host, job.pod.requests, {});
    }
  }
  holding.weight = kube::saturating_multiply(weight(job.pod), holding.pods);
  held_ += holding.weight;
  return {};
}

void Floor::give_back(std::size_t number) {
  const auto holding = holdings_.find(number);
  if (holding == holdings_.end()) return;
  for (int pod = 0; pod < holding->second.pods; ++pod) books_.release(key_of(number, pod));
  held_ -= holding->second.weight;
  holdings_.erase(holding);
}

}  // namespace toposeg::simulation
