#include <nlohmann/json.hpp>
#include <ostream>

#include "engine/cli/chosen_workload.h"
#include "engine/cli/commands.h"
#include "engine/cli/exit_status.h"
#include "engine/cli/manifest_source.h"
#include "engine/cli/plan_words.h"
#include "engine/cli/table.h"

namespace toposeg::cli {
namespace {

void print_levels(std::ostream& out, const engine::Explanation& explanation, const std::string& topology,
                  const Session& session, bool colour) {
  Table table({{"LEVEL"}, {"DOMAINS", true}, {"SEGMENTS-FIT", true}, {"LARGEST-HOLDS", true}});
  for (const engine::LevelNumbers& row : explanation.levels) {
    table.add({{session.level_name(topology, row.level)},
               {std::to_string(row.domains)},
               {std::to_string(row.slots), row.slots == 0 ? Paint::kBad : Paint::kPlain},
               {std::to_string(row.largest)}});
  }
  table.print(out, colour);
}

// The verdict is a sentence, so it stands last.
void print_candidates(std::ostream& out, const engine::Explanation& explanation, bool colour) {
  Table table({{"CANDIDATE"}, {"HOLDS", true}, {"VERDICT"}});
  for (const engine::Candidate& candidate : explanation.candidates) {
    const bool chosen = candidate.verdict == "chosen";
    table.add({{path_text(candidate.path)},
               {std::to_string(candidate.free)},
               {candidate.verdict, chosen ? Paint::kGood : Paint::kPlain}});
  }
  table.print(out, colour);
}

nlohmann::ordered_json report(const engine::Explanation& explanation, const engine::Plan& plan) {
  using nlohmann::ordered_json;
  ordered_json levels = ordered_json::array();
  for (const engine::LevelNumbers& row : explanation.levels) {
    levels.push_back({{"level", plan.levels[static_cast<std::size_t>(row.level)]},
                      {"domains", row.domains},
                      {"slots", row.slots},
                      {"largest", row.largest}});
  }
  ordered_json candidates = ordered_json::array();
  for (const engine::Candidate& each : explanation.candidates) {
    candidates.push_back({{"domain", each.path}, {"holds", each.free}, {"verdict", each.verdict}});
  }
  return {{"apiVersion", "toposeg.io/v1"},          {"kind", "ExplainReport"},
          {"segment", explanation.segment.segment}, {"status", word(explanation.segment.status)},
          {"domain", explanation.segment.domain},   {"levels", std::move(levels)},
          {"candidates", std::move(candidates)},    {"sentences", explanation.sentences}};
}

int explain(const PlannedWorkload& planned, const Options& options, const Streams& streams, Session& session,
            bool colour) {
  const auto explanation = session.engine().explain(planned.workload(), options.group, options.segment);
  if (!explanation) {
    print_errors(streams.err, {explanation.error()});
    return kExitInvalid;
  }
  if (options.output == "json") {
    streams.out << report(*explanation, planned.plan).dump(2) << '\n';
  } else {
    for (const std::string& sentence : explanation->sentences) streams.out << sentence << '\n';
    streams.out << '\n';
    print_levels(streams.out, *explanation, planned.plan.topology, session, colour);
    streams.out << '\n';
    print_candidates(streams.out, *explanation, colour);
  }
  const bool waits =
      explanation->segment.status == engine::SegmentStatus::kWaiting && explanation->segment.needed;
  return waits ? kExitUnfit : kExitPlaced;
}

}  // namespace

int explain_command(const Options& options, const Streams& streams, const Environment& environment) {
  const auto manifests = read_manifests(options.manifests, streams);
  if (!manifests) {
    print_errors(streams.err, {manifests.error()});
    return kExitInvalid;
  }
  const auto session = Session::open(options, streams, environment);
  if (!session) {
    print_errors(streams.err, session.error());
    return kExitInvalid;
  }
  const auto planned = choose_workload(manifests->workloads, options, streams, **session);
  if (!planned) {
    print_errors(streams.err, planned.error());
    return kExitInvalid;
  }
  if (!planned->workload().constrained()) {
    print_errors(streams.err, {{Code::kInvalid, "asks for no level, so there is no choice to explain",
                                title(planned->workload().identity)}});
    return kExitInvalid;
  }
  return explain(*planned, options, streams, **session, wants_colour(streams, environment));
}

}  // namespace toposeg::cli
