#include "engine/cli/completion.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ostream>
#include <string_view>
#include <vector>

#include "common/base/text.h"
#include "engine/cli/described_option.h"

namespace toposeg::cli {
namespace {

constexpr std::string_view kFile = "FILE";

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(program)) names.push_back(command->get_name());
  return names;
}

// Single-quoted for a shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += R"('\'')";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string bash_values(const DescribedOption& option) {
  if (!option.choices.empty()) return fmt::format("compgen -W {}", quoted(join(option.choices, " ")));
  return option.value == kFile ? "compgen -f" : "compgen -W ''";
}

void write_bash_command(std::ostream& out, const CLI::App& command) {
  std::vector<std::string> words;
  for (const DescribedOption& option : options_of(command)) {
    words.insert(words.end(), option.names.begin(), option.names.end());
    if (option.names.empty()) words.insert(words.end(), option.choices.begin(), option.choices.end());
    if (option.names.empty() || option.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) patterns.push_back(command.get_name() + ":" + name);
    out << "    " << join(patterns, "|") << ") COMPREPLY=($(" << bash_values(option)
        << " -- \"$current\")); return ;;\n";
  }
  out << "    " << command.get_name() << ":*) COMPREPLY=($(compgen -W " << quoted(join(words, " "))
      << " -- \"$current\")) ;;\n";
}

void write_bash(std::ostream& out, const CLI::App& program) {
  const std::vector<std::string> names = command_names(program);
  out << "# bash completion of toposeg\n"
         "_toposeg() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= word\n"
         "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
         "    case $word in "
      << join(names, "|")
      << ") command=$word; break ;; esac\n"
         "  done\n"
         "  case $command:$before in\n";
  for (const CLI::App* command : commands_of(program)) write_bash_command(out, *command);
  out << "    *) COMPREPLY=($(compgen -W " << quoted(join(names, " ") + " --help --version")
      << " -- \"$current\")) ;;\n"
      << "  esac\n}\ncomplete -F _toposeg toposeg\n";
}

// Square brackets and colons separate the parts of an _arguments word.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

void write_zsh_command(std::ostream& out, const CLI::App& command) {
  out << "        " << command.get_name() << ") _arguments";
  for (const DescribedOption& option : options_of(command)) {
    std::string action;
    if (!option.value.empty()) {
      action = ":" + option.value + ":";
      if (!option.choices.empty()) action += "(" + join(option.choices, " ") + ")";
      if (option.value == kFile) action += "_files";
    }
    if (option.names.empty()) out << " \\\n          " << quoted("1" + action);
    for (const std::string& name : option.names) {
      out << " \\\n          " << quoted("*" + name + "[" + zsh_text(option.description) + "]" + action);
    }
  }
  out << " ;;\n";
}

void write_zsh(std::ostream& out, const CLI::App& program) {
  out << "#compdef toposeg\n"
         "_toposeg() {\n"
         "  local context state state_descr line\n"
         "  typeset -A opt_args\n"
         "  local -a commands=(";
  for (const CLI::App* command : commands_of(program)) {
    out << "\n    " << quoted(command->get_name() + ":" + zsh_text(command->get_description()));
  }
  out << ")\n"
         "  _arguments -C '1: :->command' '*:: :->rest'\n"
         "  case $state in\n"
         "    command) _describe command commands ;;\n"
         "    rest)\n"
         "      case $words[1] in\n";
  for (const CLI::App* command : commands_of(program)) write_zsh_command(out, *command);
  out << "      esac ;;\n  esac\n}\ncompdef _toposeg toposeg\n";
}

void write_fish(std::ostream& out, const CLI::App& program) {
  out << "# fish completion of toposeg\ncomplete -c toposeg -f\n";
  for (const CLI::App* command : commands_of(program)) {
    out << "complete -c toposeg -n __fish_use_subcommand -a " << command->get_name() << " -d "
        << quoted(command->get_description()) << '\n';
  }
  for (const CLI::App* command : commands_of(program)) {
    for (const DescribedOption& option : options_of(*command)) {
      out << "complete -c toposeg -n '__fish_seen_subcommand_from " << command->get_name() << "'";
      for (const std::string& name : option.names) {
        const bool is_long = name.starts_with("--");
        out << (is_long ? " -l " : " -s ") << name.substr(is_long ? 2 : 1);
      }
      if (!option.value.empty() && !option.names.empty()) out << " -r";
      if (option.value == kFile) out << " -F";
      if (!option.choices.empty()) out << " -a " << quoted(join(option.choices, " "));
      out << " -d " << quoted(option.description) << '\n';
    }
  }
}

}  // namespace

void write_completion(std::ostream& out, const CLI::App& program, const std::string& shell) {
  if (shell == "bash") {
    write_bash(out, program);
  } else if (shell == "zsh") {
    write_zsh(out, program);
  } else {
    write_fish(out, program);
  }
}

}  // namespace toposeg::cli
