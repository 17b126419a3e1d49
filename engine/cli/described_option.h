// A plain view of one option or command of a CLI11 description, for the writers of manual pages and
// completions.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace toposeg::cli {

struct DescribedOption {
  std::vector<std::string> names;    // "-o", "--output"; empty for a positional argument
  std::string value;                 // "FILE"; empty for a flag
  std::vector<std::string> choices;  // the only values, where there are such
  std::string description;
  bool required = false;
};

// Options in the order of their definition. Hidden ones are left out.
[[nodiscard]] std::vector<DescribedOption> options_of(const CLI::App& app);

// Commands in the order of their definition, without hidden ones.
[[nodiscard]] std::vector<const CLI::App*> commands_of(const CLI::App& app);

}  // namespace toposeg::cli
