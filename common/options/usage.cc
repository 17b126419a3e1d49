#include "common/options/usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <vector>

#include "common/base/text.h"

namespace toposeg::options {
namespace {

const CLI::App& command_of(const CLI::App& app) {
  const auto given = app.get_subcommands();
  return given.empty() ? app : *given.front();
}

std::string name_of(const CLI::App& app) {
  const CLI::App& command = command_of(app);
  return &command == &app ? app.get_name() : app.get_name() + ' ' + command.get_name();
}

// CLI11's own words for an option given twice speak of counts; people want to hear of the option.
std::string given_twice(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    const bool single =
        option->get_expected_max() == 1 && option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw;
    if (single && !option->get_lnames().empty() && option->results().size() > 1) {
      return fmt::format("--{} may be given only once, not as {}", option->get_lnames().front(),
                         join(option->results(), " and "));
    }
  }
  return {};
}

std::string unknown_option(const std::string& word, const CLI::App& app) {
  const CLI::App& command = command_of(app);
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  return fmt::format("{} is no option of {}{}", word.substr(0, word.find('=')), name_of(app),
                     did_you_mean(word.substr(0, word.find('=')), known));
}

std::string commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  return join(names, ", ");
}

std::string unknown_command(const std::string& word, const CLI::App& app) {
  return fmt::format("{} is no command: write one of {}", quote(word), commands_of(app));
}

}  // namespace

std::string usage_message(const CLI::ParseError& error, const CLI::App& app) {
  const CLI::App& command = command_of(app);
  const std::vector<std::string> rest = app.remaining(true);
  const auto option =
      std::find_if(rest.begin(), rest.end(), [](const std::string& word) { return word.starts_with('-'); });
  if (option != rest.end()) return unknown_option(*option, app);
  const bool wants_command = &command == &app && app.get_require_subcommand_min() > 0;
  if (&command == &app && !rest.empty()) return unknown_command(rest.front(), app);
  if (wants_command) return fmt::format("a command is missing: write one of {}", commands_of(app));
  if (const std::string twice = given_twice(command); !twice.empty()) return twice;
  if (rest.empty()) return error.what();
  return fmt::format("{} is one word too many for {}", quote(rest.front()), name_of(app));
}

void tell_wrong_usage(std::ostream& err, std::string_view who, const std::string& message,
                      const CLI::App& app) {
  err << who << ": " << message << "\nSee '" << name_of(app) << " --help'.\n";
}

}  // namespace toposeg::options
