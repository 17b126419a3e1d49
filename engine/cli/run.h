// The whole program but for its streams and its surroundings.
#pragma once

#include "engine/cli/environment.h"
#include "engine/cli/streams.h"

namespace toposeg::cli {

// Parses the arguments, runs the command and returns the exit status (exit_status.h). Never throws what a
// user can cause.
[[nodiscard]] int run(int argc, const char* const* argv, const Streams& streams,
                      const Environment& environment);

}  // namespace toposeg::cli
