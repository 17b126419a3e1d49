// One child process whose standard output is read while it runs.
#pragma once

#include <string>
#include <vector>

#include "engine/cli/environment.h"

namespace toposeg::cli {

// See Environment::execute. The child shares standard input with this process (its login may have to ask).
// Returns when the child has ended. Not for use while other threads start processes.
[[nodiscard]] Result<void> run_child(const std::vector<std::string>& command, const OutputReader& reader);

}  // namespace toposeg::cli
