// Completion scripts for shells, made from the description of the command line.
#pragma once

#include <iosfwd>
#include <string>

namespace CLI {
class App;
}

namespace toposeg::cli {

// `shell` is bash, zsh or fish. They complete commands, options, the values of options that have a fixed set,
// and files where a FILE is wanted.
void write_completion(std::ostream& out, const CLI::App& program, const std::string& shell);

}  // namespace toposeg::cli
