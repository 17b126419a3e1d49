#include "engine/cli/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "common/base/text.h"
#include "common/kube/filters.h"
#include "engine/cli/scene_parties.h"
#include "engine/cli/unit.h"
#include "engine/picture/fold.h"

namespace toposeg::cli {
namespace {

using picture::Health;

// A pod that no taint and no cordon keeps out: what is free is a matter of its own.
kube::PodSpec insensitive(kube::PodSpec shape) {
  shape.tolerations = {{.key = "", .value = "", .exists = true, .effect = std::nullopt}};
  return shape;
}

bool keeps_pods_out(const kube::Taint& taint) { return taint.effect != kube::TaintEffect::kPreferNoSchedule; }

Health health_of(const kube::Node& node) {
  const auto ill = [](const kube::Taint& taint) {
    return keeps_pods_out(taint) && kube::tells_of_health(taint);
  };
  if (!node.ready || node.unschedulable || std::any_of(node.taints.begin(), node.taints.end(), ill))
    return Health::kUnhealthy;
  return std::any_of(node.taints.begin(), node.taints.end(), keeps_pods_out) ? Health::kTainted
                                                                             : Health::kWell;
}

std::string ailments(const kube::Node& node) {
  std::vector<std::string> found;
  if (node.unschedulable) found.emplace_back("cordoned");
  if (!node.ready) found.emplace_back("not ready");
  for (const kube::Taint& taint : node.taints) {
    // The node's state says the same as the taints that follow from it.
    const bool said = !found.empty() && kube::tells_of_health(taint);
    if (keeps_pods_out(taint) && !said) found.push_back("taint " + kube::to_text(taint));
  }
  return join(found, ", ");
}

class Builder {
 public:
  Builder(const engine::TopologyView& view, const Unit& unit, const Session& session, const Parties& parties)
      : view_(view), unit_(unit), session_(session), parties_(parties) {
    for (std::size_t i = 0; i < view.levels.size(); ++i)
      levels_.push_back(session.level_name(view.topology, static_cast<int>(i)));
    // Where each domain of the closest level is one host, it is drawn as that host.
    const auto last = static_cast<int>(view.levels.size()) - 1;
    hosts_are_domains_ = std::all_of(view.domains.begin(), view.domains.end(), [&](const auto& domain) {
      return domain.level != last || domain.nodes == 1;
    });
  }

  picture::Scene build() {
    picture::Scene scene;
    picture::Domain top;
    while (at_ < view_.domains.size()) add_next(top);
    // A topology of hosts alone is one box.
    if (!top.hosts.empty()) {
      top.name = view_.topology;
      scene.domains.push_back(std::move(top));
    } else {
      scene.domains = std::move(top.children);
    }
    for (const engine::OutsideNode& node : view_.outside)
      scene.outside.push_back(host(node.node, 0, "lacks the label " + node.missing_label));
    scene.parties = parties_.parties;
    scene.notes = notes();
    return scene;
  }

 private:
  // The domain or host that comes next, into the one that holds it.
  void add_next(picture::Domain& into) {
    const engine::DomainView& domain = view_.domains[at_];
    const auto last = static_cast<int>(view_.levels.size()) - 1;
    if (domain.level == last && hosts_are_domains_) ++at_;
    const engine::DomainView& next = view_.domains[at_++];
    if (!next.node.empty()) {
      into.hosts.push_back(host(next.node, next.free, {}));
      return;
    }
    picture::Domain below;
    below.name = next.path.back();
    below.level = levels_[static_cast<std::size_t>(next.level)];
    below.note =
        fmt::format("{} hosts: {} idle, {} unhealthy", next.nodes, next.idle, next.nodes - next.healthy);
    while (at_ < view_.domains.size() && view_.domains[at_].level > next.level) add_next(below);
    into.children.push_back(std::move(below));
  }

  [[nodiscard]] picture::Host host(const std::string& name, std::int64_t free, const std::string& why) const {
    picture::Host host;
    host.name = name;
    const kube::Node* node = session_.node(name);
    if (node == nullptr) return host;
    host.health = health_of(*node);
    const std::int64_t total = offered(*node, unit_);
    std::vector<std::string> notes;
    for (const std::string& each : {why, ailments(*node)}) {
      if (!each.empty()) notes.push_back(each);
    }
    if (why.empty()) notes.push_back(fmt::format("{} of {} {} free", free, total, unit_.resource));
    host.note = join(notes, "\n");
    std::int64_t taken = why.empty() ? total - free : 0;
    const auto guests = parties_.guests.find(name);
    if (guests != parties_.guests.end()) {
      for (const Visit& visit : guests->second) taken -= visit.reserved ? visit.units : 0;
      for (const Visit& visit : guests->second) host.guests.push_back(guest(visit, total));
    }
    host.used =
        total > 0 ? static_cast<double>(std::max<std::int64_t>(taken, 0)) / static_cast<double>(total) : 0;
    return host;
  }

  static picture::Guest guest(const Visit& visit, std::int64_t total) {
    const double share = total > 0 ? static_cast<double>(visit.units) / static_cast<double>(total) : 0;
    return {visit.party, std::min(share, 1.0), visit.pods};
  }

  [[nodiscard]] std::vector<std::string> notes() const {
    int nodes = 0;
    int idle = 0;
    int healthy = 0;
    for (const engine::DomainView& domain : view_.domains) {
      if (domain.node.empty()) continue;
      ++nodes;
      idle += domain.idle;
      healthy += domain.healthy;
    }
    const std::string placed =
        parties_.segments > 0 ? fmt::format("{} of {} segments placed · ", parties_.placed, parties_.segments)
                              : "";
    return {placed + join(levels_, " > ") + " · shares count " + unit_.resource,
            fmt::format("{} hosts: {} idle, {} unhealthy; {} outside the topology", nodes, idle,
                        nodes - healthy, view_.outside.size())};
  }

  const engine::TopologyView& view_;
  const Unit& unit_;
  const Session& session_;
  const Parties& parties_;
  std::vector<std::string> levels_;
  bool hosts_are_domains_ = false;
  std::size_t at_ = 0;  // next domain of the view
};

Result<picture::Scene> draw(const std::string& topology, std::span<const PlannedWorkload> workloads,
                            Session& session) {
  const Unit unit = unit_of(session.engine().whole_host(topology));
  const Parties parties = parties_of(workloads, topology, unit);
  const auto view = session.engine().view(topology, insensitive(unit.shape));
  if (!view) return std::unexpected(view.error());
  picture::Scene scene = Builder(*view, unit, session, parties).build();
  scene.title = parties.title.empty() ? "Topology " + topology : parties.title + " on " + topology;
  picture::fold(scene);
  return scene;
}

}  // namespace

picture::Scene topology_scene(const engine::TopologyView& view, Session& session) {
  return draw(view.topology, {}, session).value_or(picture::Scene{});
}

std::vector<picture::Scene> plan_scenes(std::span<const PlannedWorkload> workloads, Session& session) {
  std::set<std::string> topologies;
  for (const PlannedWorkload& planned : workloads) {
    if (!planned.plan.topology.empty()) topologies.insert(planned.plan.topology);
  }
  if (topologies.empty()) {
    for (const kube::Topology& topology : session.topologies()) topologies.insert(topology.name);
  }
  std::vector<picture::Scene> scenes;
  for (const std::string& topology : topologies) {
    auto scene = draw(topology, workloads, session);
    if (scene) scenes.push_back(*std::move(scene));
  }
  return scenes;
}

}  // namespace toposeg::cli
