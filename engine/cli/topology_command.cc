#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

#include "common/base/text.h"
#include "engine/cli/commands.h"
#include "engine/cli/dot.h"
#include "engine/cli/exit_status.h"
#include "engine/cli/scene.h"
#include "engine/cli/session.h"
#include "engine/cli/topology_tree.h"
#include "engine/cli/unit.h"
#include "engine/picture/page.h"
#include "engine/picture/svg.h"

namespace toposeg::cli {
namespace {

TreeNumbers totals(const engine::TopologyView& view, const Unit& unit, const Session& session) {
  TreeNumbers numbers{unit.resource, std::vector<std::int64_t>(view.domains.size(), 0)};
  const std::vector<std::size_t> parents = parents_of(view);
  for (std::size_t i = view.domains.size(); i-- > 0;) {
    if (const kube::Node* node = session.node(view.domains[i].node); node != nullptr)
      numbers.total[i] += offered(*node, unit);
    if (parents[i] != i) numbers.total[parents[i]] += numbers.total[i];
  }
  return numbers;
}

void print_dot(std::ostream& out, const engine::TopologyView& view, const TreeNumbers& numbers) {
  std::map<std::size_t, std::string> labels;
  for (std::size_t i = 0; i < view.domains.size(); ++i) {
    if (repeats_parent(view, i)) continue;
    const engine::DomainView& domain = view.domains[i];
    const std::string& name = domain.node.empty() ? domain.path.back() : domain.node;
    labels[i] = fmt::format("{}\n{} of {} free", name, domain.free, numbers.total[i]);
  }
  write_dot(out, view, labels);
}

nlohmann::ordered_json report(const engine::TopologyView& view, const TreeNumbers& numbers) {
  using nlohmann::ordered_json;
  ordered_json domains = ordered_json::array();
  for (std::size_t i = 0; i < view.domains.size(); ++i) {
    const engine::DomainView& domain = view.domains[i];
    const auto level = static_cast<std::size_t>(domain.level);
    domains.push_back(
        {{"level", level < view.levels.size() ? ordered_json(view.levels[level]) : ordered_json()},
         {"path", domain.path},
         {"node", domain.node.empty() ? ordered_json() : ordered_json(domain.node)},
         {"nodes", domain.nodes},
         {"idle", domain.idle},
         {"unhealthy", domain.nodes - domain.healthy},
         {"free", domain.free},
         {"total", numbers.total[i]}});
  }
  ordered_json outside = ordered_json::array();
  for (const engine::OutsideNode& node : view.outside) {
    outside.push_back({{"node", node.node}, {"missingLabel", node.missing_label}});
  }
  return {{"apiVersion", "toposeg.io/v1"}, {"kind", "TopologyReport"},     {"topology", view.topology},
          {"levels", view.levels},         {"resource", numbers.resource}, {"domains", std::move(domains)},
          {"outside", std::move(outside)}};
}

void print_outside(std::ostream& out, const engine::TopologyView& view) {
  std::map<std::string, std::vector<std::string>> by_label;
  for (const engine::OutsideNode& node : view.outside) by_label[node.missing_label].push_back(node.node);
  for (const auto& [label, nodes] : by_label) {
    out << "Outside, for want of the label " << label << ": " << join(nodes, ", ") << '\n';
  }
}

void print_tree(std::ostream& out, const engine::TopologyView& view, const TreeNumbers& numbers,
                const Session& session, bool unfolded, bool colour) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < view.levels.size(); ++i) {
    names.push_back(session.level_name(view.topology, static_cast<int>(i)));
  }
  print_topology_tree(out, view, numbers, unfolded, colour);
  out << "\nTopology " << view.topology << ": " << join(names, " > ") << "; FREE and TOTAL count "
      << numbers.resource << '\n';
  print_outside(out, view);
}

}  // namespace

int topology_command(const Options& options, const Streams& streams, const Environment& environment) {
  const auto session = Session::open(options, streams, environment);
  if (!session) {
    print_errors(streams.err, session.error());
    return kExitInvalid;
  }
  const Unit unit = unit_of((*session)->engine().whole_host(options.topology));
  const auto view = (*session)->engine().view(options.topology, unit.shape);
  if (!view) {
    print_errors(streams.err, {view.error()});
    return kExitInvalid;
  }
  const TreeNumbers numbers = totals(*view, unit, **session);
  if (options.output == "dot") {
    print_dot(streams.out, *view, numbers);
  } else if (options.output == "svg") {
    picture::write_svg(streams.out, std::vector{topology_scene(*view, **session)});
  } else if (options.output == "html") {
    picture::write_page(streams.out, std::vector{topology_scene(*view, **session)});
  } else if (options.output == "json") {
    streams.out << report(*view, numbers).dump(2) << '\n';
  } else {
    print_tree(streams.out, *view, numbers, **session, options.output == "wide",
               wants_colour(streams, environment));
  }
  return kExitPlaced;
}

}  // namespace toposeg::cli
