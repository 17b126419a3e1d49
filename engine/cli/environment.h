// The world around the program behind an interface, so that tests run it without kubectl or a terminal.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/error.h"

namespace toposeg::cli {

using OutputReader = std::function<Result<void>(std::istream& output)>;

struct Environment {
  // The value of an environment variable, if it is set.
  std::function<std::optional<std::string>(const std::string& name)> variable;
  // Runs a program found in PATH with exactly these arguments (no shell) and hands its standard output to
  // `reader`. A reader's error comes back as it is; kUnavailable when the program is not there or fails, with
  // what it wrote to standard error.
  std::function<Result<void>(const std::vector<std::string>& command, const OutputReader& reader)> execute;
  std::shared_ptr<const Clock> clock;
};

// The real one.
[[nodiscard]] Environment system_environment();

}  // namespace toposeg::cli
