#include "engine/cli/run.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "common/base/text.h"
#include "common/options/usage.h"
#include "engine/cli/command_line.h"
#include "engine/cli/commands.h"
#include "engine/cli/completion.h"
#include "engine/cli/exit_status.h"
#include "engine/cli/man_page.h"
#include "engine/cli/session.h"

namespace toposeg::cli {
namespace {

int wrong_usage(std::ostream& err, const std::string& message, const CLI::App& app) {
  options::tell_wrong_usage(err, "error", message, app);
  return kExitUsage;
}

int parse_failed(const CLI::ParseError& error, const CLI::App& app, const Streams& streams) {
  if (error.get_exit_code() == 0) return app.exit(error, streams.out, streams.err);
  return wrong_usage(streams.err, options::usage_message(error, app), app);
}

// Standard input can be read only once.
bool reads_input_twice(const Options& options) {
  const auto times = [](const std::vector<std::string>& files) {
    return std::count(files.begin(), files.end(), "-");
  };
  return times(options.manifests) + times(options.cluster.files) + times(options.cluster.added) +
             times({options.simulate.trace}) >
         1;
}

int print_man_page(const Options& options, const CLI::App& app, const Streams& streams) {
  if (write_man_page(streams.out, app, options.page)) return kExitPlaced;
  return wrong_usage(streams.err, fmt::format("there is no command {}", quote(options.page)), app);
}

}  // namespace

int run(int argc, const char* const* argv, const Streams& streams, const Environment& environment) {
  Options options;
  CLI::App app;
  describe(app, options, program_name(argc > 0 ? argv[0] : ""));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return parse_failed(error, app, streams);
  }
  if (reads_input_twice(options)) {
    return wrong_usage(streams.err,
                       "- (standard input) may be named only once; name a file for the other input", app);
  }
  const std::string command = app.get_subcommands().front()->get_name();
  if (command == "plan") return plan_command(options, streams, environment);
  if (command == "slots") return slots_command(options, streams, environment);
  if (command == "defrag") return defrag_command(options, streams, environment);
  if (command == "topology") return topology_command(options, streams, environment);
  if (command == "explain") return explain_command(options, streams, environment);
  if (command == "status") return status_command(options, streams, environment);
  if (command == "simulate") return simulate_command(options, streams, environment);
  if (command == "generate") return generate_command(options, streams, environment);
  if (command == "man") return print_man_page(options, app, streams);
  if (command == "completion") {
    write_completion(streams.out, app, options.shell);
  } else {
    streams.out << "toposeg " << TOPOSEG_VERSION << '\n';
  }
  return kExitPlaced;
}

}  // namespace toposeg::cli
