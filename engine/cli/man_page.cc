#include "engine/cli/man_page.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <ostream>
#include <sstream>

#include "common/base/text.h"
#include "engine/cli/described_option.h"

namespace toposeg::cli {
namespace {

// Text that roff prints as it is: no escapes, no control lines, no typographic dashes.
std::string literal(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool line_start = i == 0 || text[i - 1] == '\n';
    if (line_start && (text[i] == '.' || text[i] == '\'')) out += "\\&";
    if (text[i] == '\\') {
      out += "\\e";
    } else if (text[i] == '-') {
      out += "\\-";
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

// kubectl toposeg -> kubectl-toposeg, the name of a page.
std::string dashed(std::string text) {
  std::replace(text.begin(), text.end(), ' ', '-');
  return text;
}

void write_options(std::ostream& out, const CLI::App& app) {
  out << ".SH OPTIONS\n";
  for (const DescribedOption& option : options_of(app)) {
    const std::string names = option.names.empty() ? "" : "\\fB" + literal(join(option.names, ", ")) + "\\fR";
    const std::string value = option.value.empty() ? "" : "\\fI" + literal(option.value) + "\\fR";
    out << ".TP\n" << names << (names.empty() || value.empty() ? "" : " ") << value << '\n';
    out << literal(option.description) << (option.required ? " (required)" : "");
    if (!option.choices.empty()) out << "; one of " << literal(join(option.choices, ", "));
    out << ".\n";
  }
}

void write_commands(std::ostream& out, const CLI::App& app, const std::string& name) {
  if (commands_of(app).empty()) return;
  out << ".SH COMMANDS\n";
  for (const CLI::App* command : commands_of(app)) {
    out << ".TP\n\\fB" << literal(name + " " + command->get_name()) << "\\fR\n"
        << literal(command->get_description()) << ".\n";
  }
}

// The footer: lines that are indented are examples, a line that ends in a colon announces them.
void write_examples(std::ostream& out, const CLI::App& app) {
  if (app.get_footer().empty()) return;
  out << ".SH EXAMPLES\n";
  std::istringstream lines(app.get_footer());
  for (std::string line; std::getline(lines, line);) {
    if (line == "Examples:") continue;
    const bool example = line.starts_with("  ");
    out << (example ? ".PP\n.nf\n" : ".PP\n") << literal(line) << '\n' << (example ? ".fi\n" : "");
  }
}

}  // namespace

bool write_man_page(std::ostream& out, const CLI::App& program, const std::string& command) {
  const CLI::App* app = &program;
  std::string name = program.get_name();
  if (!command.empty()) {
    const auto commands = commands_of(program);
    const auto found = std::find_if(commands.begin(), commands.end(),
                                    [&](const CLI::App* each) { return each->get_name() == command; });
    if (found == commands.end()) return false;
    app = *found;
    name += " " + command;
  }
  out << ".TH \"" << upper(dashed(name)) << "\" 1 \"\" \"toposeg " << TOPOSEG_VERSION
      << "\" \"User Commands\"\n";
  out << ".SH NAME\n" << literal(dashed(name)) << " \\- " << literal(app->get_description()) << '\n';
  out << ".SH SYNOPSIS\n\\fB" << literal(name) << "\\fR"
      << (commands_of(*app).empty() ? "" : " \\fIcommand\\fR") << " [\\fIoptions\\fR]\n";
  write_commands(out, *app, name);
  write_options(out, *app);
  write_examples(out, *app);
  return true;
}

}  // namespace toposeg::cli
