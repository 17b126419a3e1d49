// What a program says of a command line that it cannot understand.
#pragma once

#include <CLI/CLI.hpp>
#include <iosfwd>
#include <string>
#include <string_view>

namespace toposeg::options {

// In one line, what is wrong and what would be right. After a failed App::parse().
[[nodiscard]] std::string usage_message(const CLI::ParseError& error, const CLI::App& app);

// `who: message`, and the command whose help to look at.
void tell_wrong_usage(std::ostream& err, std::string_view who, const std::string& message,
                      const CLI::App& app);

}  // namespace toposeg::options
