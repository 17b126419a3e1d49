#include <nlohmann/json.hpp>
#include <ostream>

#include "engine/cli/cluster_source.h"
#include "engine/cli/commands.h"
#include "engine/cli/exit_status.h"
#include "engine/cli/named_workload.h"
#include "engine/cli/planned_workload.h"
#include "engine/cli/session.h"
#include "engine/cli/status_report.h"
#include "engine/cli/status_table.h"
#include "engine/cli/workload_status.h"
#include "engine/cli/yaml_text.h"

namespace toposeg::cli {
namespace {

using Faults = std::vector<Error>;

// What was asked about, where it was found, and how it stands.
struct Answered {
  NamedWorkload named;
  WorkloadStanding standing;
};

std::expected<Answered, Faults> answer(const Options& options, const Streams& streams,
                                       const Environment& environment) {
  auto config = options.config.empty() ? config::defaults() : config::load(options.config);
  if (!config) return std::unexpected(std::move(config.error()));
  const auto read = read_cluster_with_workloads(options.cluster, Namespaces::kOne, streams, environment);
  if (!read) return std::unexpected(Faults{read.error()});
  auto named = find_workload(read->workloads, {options.workload, options.cluster.namespace_},
                             read->cluster.topologies, config->workloads);
  if (!named) return std::unexpected(Faults{named.error()});
  if (!named->normalised.causes.empty()) {
    streams.err << "error: " << title(named->makers.front()) << " asks for what cannot be:\n";
    for (const Error& cause : named->normalised.causes) streams.err << "  " << cause.text() << '\n';
    return std::unexpected(Faults{});
  }
  auto standing = standing_of(*named, read->cluster, options.topology);
  if (!standing) return std::unexpected(Faults{standing.error()});
  return Answered{std::move(*named), std::move(*standing)};
}

void print(const Answered& answered, const Options& options, const Streams& streams, bool colour) {
  if (options.output == "json") {
    streams.out << status_report(answered.named, answered.standing)
                       .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
                << '\n';
  } else if (options.output == "yaml") {
    write_yaml(streams.out, status_report(answered.named, answered.standing));
  } else if (options.output == "name") {
    if (answered.standing.placed) streams.out << resource_name(answered.named.makers.front()) << '\n';
  } else {
    print_status_table(streams.out, answered.named, answered.standing, options.output == "wide", colour);
  }
}

}  // namespace

int status_command(const Options& options, const Streams& streams, const Environment& environment) {
  const auto answered = answer(options, streams, environment);
  if (!answered) {
    print_errors(streams.err, answered.error());
    return kExitInvalid;
  }
  print(*answered, options, streams, wants_colour(streams, environment));
  return answered->standing.placed ? kExitPlaced : kExitUnfit;
}

}  // namespace toposeg::cli
