// Manual pages, made from the description of the command line.
#pragma once

#include <iosfwd>
#include <string>

namespace CLI {
class App;
}

namespace toposeg::cli {

// Writes the page (man(7) macros, section 1) of the program, or of one of its commands when `command` is not
// empty. False when there is no such command.
[[nodiscard]] bool write_man_page(std::ostream& out, const CLI::App& program, const std::string& command);

}  // namespace toposeg::cli
