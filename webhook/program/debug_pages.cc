#include "webhook/program/debug_pages.h"

#include <nlohmann/json.hpp>

namespace toposeg::webhook {
namespace {

using Page = nlohmann::ordered_json;

const char* name_of(workload::Role role) {
  switch (role) {
    case workload::Role::kWorker:
      return "worker";
    case workload::Role::kLeader:
      return "leader";
    case workload::Role::kMaster:
      return "master";
  }
  return "other";
}

Page domain_row(const engine::DomainView& domain, const std::vector<std::string>& levels) {
  return {{"level", levels[static_cast<std::size_t>(domain.level)]},
          {"path", domain.path},
          {"nodes", domain.nodes},
          {"healthy", domain.healthy},
          {"idle", domain.idle},
          {"free", domain.free}};
}

Page topology_part(const engine::TopologyView& view) {
  Page domains = Page::array();
  for (const engine::DomainView& domain : view.domains) {
    const bool is_level = domain.level >= 0 && static_cast<std::size_t>(domain.level) < view.levels.size();
    if (is_level) domains.push_back(domain_row(domain, view.levels));
  }
  Page outside = Page::array();
  for (const engine::OutsideNode& node : view.outside) {
    outside.push_back({{"node", node.node}, {"missing_label", node.missing_label}});
  }
  return {{"topology", view.topology},
          {"levels", view.levels},
          {"domains", std::move(domains)},
          {"outside", std::move(outside)}};
}

std::string to_text(const Page& page) {
  return page.dump(2, ' ', false, Page::error_handler_t::replace) + "\n";
}

}  // namespace

std::string topology_page(engine::Engine& engine) {
  Page topologies = Page::array();
  for (const kube::Topology& topology : engine.topologies()) {
    const auto view = engine.view(topology.name, engine.whole_host(topology.name));
    if (view) {
      topologies.push_back(topology_part(*view));
    } else {
      topologies.push_back({{"topology", topology.name}, {"fault", view.error().text()}});
    }
  }
  return to_text({{"topologies", std::move(topologies)}});
}

std::string ledger_page(const engine::Engine& engine) {
  Page pods = Page::array();
  for (const engine::LedgerRow& row : engine.ledger()) {
    pods.push_back({{"namespace", row.namespace_},
                    {"workload", row.workload},
                    {"group", row.group},
                    {"index", row.index},
                    {"role", name_of(row.role)},
                    {"host", row.host},
                    {"state", row.state},
                    {"seconds_left", row.seconds_left}});
  }
  return to_text({{"pods", std::move(pods)}});
}

std::string waiting_page(const engine::Engine& engine) {
  Page segments = Page::array();
  for (const engine::WaitingRow& row : engine.waiting()) {
    segments.push_back({{"namespace", row.namespace_},
                        {"workload", row.workload},
                        {"group", row.group},
                        {"segment", row.segment},
                        {"reason", row.reason}});
  }
  return to_text({{"segments", std::move(segments)}});
}

}  // namespace toposeg::webhook
