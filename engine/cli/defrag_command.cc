#include <nlohmann/json.hpp>
#include <ostream>

#include "engine/cli/commands.h"
#include "engine/cli/defrag_table.h"
#include "engine/cli/exit_status.h"
#include "engine/cli/session.h"
#include "engine/cli/slots_question.h"
#include "engine/cli/yaml_text.h"

namespace toposeg::cli {
namespace {

nlohmann::ordered_json report(const engine::DefragAdvice& advice, const SlotsQuestion& question) {
  nlohmann::ordered_json full{
      {"apiVersion", "toposeg.io/v1"}, {"kind", "DefragReport"}, {"pod", requests_text(question.shape)}};
  full.update(defrag_report(advice));
  return full;
}

}  // namespace

int defrag_command(const Options& options, const Streams& streams, const Environment& environment) {
  const auto session = Session::open_with_workloads(options, streams, environment);
  if (!session) {
    print_errors(streams.err, session.error());
    return kExitInvalid;
  }
  // The manifest may be that of a job which runs, and which may be the one to move.
  const auto question = ask_slots(options, streams, *(*session)->emptied());
  if (!question) {
    print_errors(streams.err, question.error());
    return kExitInvalid;
  }
  const auto advice = (*session)->engine().defrag(
      {question->topology, question->shape, question->sizes.front(), options.level, options.moves});
  if (!advice) {
    print_errors(streams.err, {advice.error()});
    return kExitInvalid;
  }
  if (options.output == "json") {
    streams.out << report(*advice, *question).dump(2) << '\n';
  } else if (options.output == "yaml") {
    write_yaml(streams.out, report(*advice, *question));
  } else {
    print_defrag_table(streams.out, *advice, **session, wants_colour(streams, environment));
    print_about(streams.out, *question);
  }
  return kExitPlaced;
}

}  // namespace toposeg::cli
