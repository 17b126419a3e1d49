#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "engine/cli/commands.h"
#include "engine/cli/exit_status.h"
#include "engine/cli/manifest_source.h"
#include "engine/cli/plan_picture.h"
#include "engine/cli/plan_report.h"
#include "engine/cli/plan_table.h"
#include "engine/cli/scene.h"
#include "engine/cli/yaml_text.h"
#include "engine/picture/page.h"
#include "engine/picture/svg.h"

namespace toposeg::cli {
namespace {

// Of the workloads that fit.
void print_names(std::ostream& out, const std::vector<PlannedWorkload>& workloads) {
  for (const PlannedWorkload& planned : workloads) {
    if (planned.outcome != Outcome::kPlaced) continue;
    out << resource_name(planned.workload().identity) << '\n';
  }
}

void print(const std::vector<PlannedWorkload>& workloads, const Options& options, const Streams& streams,
           Session& session, bool colour) {
  if (options.output == "json") {
    streams.out << plan_report(workloads).dump(2, ' ', false,
                                               nlohmann::ordered_json::error_handler_t::replace)
                << '\n';
  } else if (options.output == "yaml") {
    write_yaml(streams.out, plan_report(workloads));
  } else if (options.output == "dot") {
    print_plan_picture(streams.out, workloads, session);
  } else if (options.output == "svg") {
    picture::write_svg(streams.out, plan_scenes(workloads, session));
  } else if (options.output == "html") {
    picture::write_page(streams.out, plan_scenes(workloads, session));
  } else if (options.output == "name") {
    print_names(streams.out, workloads);
  } else {
    print_plan_table(streams.out, workloads, session, options.output == "wide", colour);
  }
}

int exit_status(const std::vector<PlannedWorkload>& workloads) {
  int status = kExitPlaced;
  for (const PlannedWorkload& planned : workloads) {
    if (planned.outcome == Outcome::kUnfit) status = std::max(status, kExitUnfit);
    if (planned.outcome == Outcome::kRefused) status = std::max(status, kExitInvalid);
  }
  return status;
}

}  // namespace

int plan_command(const Options& options, const Streams& streams, const Environment& environment) {
  const auto manifests = read_manifests(options.manifests, streams);
  if (!manifests) {
    print_errors(streams.err, {manifests.error()});
    return kExitInvalid;
  }
  if (!manifests->passed_over.empty()) {
    streams.err << "Note: passed over, no workloads: " << counted(manifests->passed_over) << '\n';
  }
  const auto session = Session::open(options, streams, environment);
  if (!session) {
    print_errors(streams.err, session.error());
    return kExitInvalid;
  }
  std::vector<PlannedWorkload> workloads;
  int number = 0;
  for (const json::Document& object : manifests->workloads) {
    workloads.push_back(plan_workload(object, options, ++number, **session));
    print_findings(streams.err, workloads.back());
  }
  print(workloads, options, streams, **session, wants_colour(streams, environment));
  return exit_status(workloads);
}

}  // namespace toposeg::cli
