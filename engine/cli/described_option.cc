#include "engine/cli/described_option.h"

#include <CLI/CLI.hpp>
#include <utility>

namespace toposeg::cli {
namespace {

// CLI11 tells the members of a set only as text: FORM:{table,wide}.
std::vector<std::string> choices_in(const std::string& type) {
  std::vector<std::string> choices;
  const std::size_t open = type.find('{');
  const std::size_t close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos || close < open) return choices;
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

DescribedOption described(const CLI::Option& option) {
  DescribedOption out;
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  const bool takes_value = option.get_expected_max() > 0 && option.get_type_size() != 0;
  const std::string type = takes_value ? option.get_type_name() : "";
  out.value = type.substr(0, type.find(':'));
  out.choices = choices_in(type);
  out.description = option.get_description();
  out.required = option.get_required();
  return out;
}

}  // namespace

std::vector<DescribedOption> options_of(const CLI::App& app) {
  std::vector<DescribedOption> out;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) out.push_back(described(*option));
  }
  return out;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  std::vector<const CLI::App*> out;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (!command->get_group().empty()) out.push_back(command);
  }
  return out;
}

}  // namespace toposeg::cli
