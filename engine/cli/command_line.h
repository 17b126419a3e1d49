// The command line as CLI11 sees it. Help, manual pages and shell completions are all made from it.
#pragma once

#include <string>

#include "engine/cli/options.h"

namespace CLI {
class App;
}

namespace toposeg::cli {

// "toposeg", or "kubectl toposeg" when the program was called as kubectl-toposeg (a plugin of kubectl).
[[nodiscard]] std::string program_name(const std::string& called_as);

// Adds every command with its options, descriptions and examples; parsing fills `options`, which must outlive
// `app`.
void describe(CLI::App& app, Options& options, const std::string& program);

}  // namespace toposeg::cli
