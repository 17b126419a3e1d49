#include "engine/cli/run.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "common/base/text.h"
#include "engine/cli/command_line.h"
#include "engine/cli/commands.h"
#include "engine/cli/completion.h"
#include "engine/cli/exit_status.h"
#include "engine/cli/man_page.h"
#include "engine/cli/session.h"

namespace toposeg::cli {
namespace {

int wrong_usage(std::ostream& err, const std::string& message, const CLI::App& app) {
  err << "error: " << message << "\nSee '" << app.get_name();
  for (const CLI::App* command : app.get_subcommands()) err << ' ' << command->get_name();
  err << " --help'.\n";
  return kExitUsage;
}

// CLI11's own words for an option given twice speak of counts; people want to hear of the option.
std::string usage_message(const CLI::ParseError& error, const CLI::App& app) {
  const auto given = app.get_subcommands();
  const CLI::App& command = given.empty() ? app : *given.front();
  for (const CLI::Option* option : command.get_options()) {
    const bool single =
        option->get_expected_max() == 1 && option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw;
    if (single && !option->get_lnames().empty() && option->results().size() > 1) {
      return fmt::format("--{} may be given only once, not as {}", option->get_lnames().front(),
                         join(option->results(), " and "));
    }
  }
  return error.what();
}

// A first word that is no command, or nothing where an option may have been meant.
std::string unknown_command(int argc, const char* const* argv, const CLI::App& app) {
  const std::string word = argc > 1 ? argv[1] : "";
  if (word.empty() || word.front() == '-' || !app.get_subcommands().empty()) return {};
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  return fmt::format("{} is no command: write one of {}", quote(word), join(names, ", "));
}

int parse_failed(const CLI::ParseError& error, const CLI::App& app, const Streams& streams,
                 const std::string& unknown) {
  if (error.get_exit_code() == 0) return app.exit(error, streams.out, streams.err);
  if (!unknown.empty()) return wrong_usage(streams.err, unknown, app);
  return wrong_usage(streams.err, usage_message(error, app), app);
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
    return parse_failed(error, app, streams, unknown_command(argc, argv, app));
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
