// The whole program in process: arguments and files in, text and exit status out.
#pragma once

#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "engine/cli/run.h"
#include "unit/folder.h"

namespace toposeg::cli {

inline constexpr const char* kClusterFile = TOPOSEG_SOURCE_DIR "/examples/cluster.yaml";
inline constexpr const char* kJobFile = TOPOSEG_SOURCE_DIR "/examples/pytorchjob.yaml";
inline constexpr const char* kLwsFile = TOPOSEG_SOURCE_DIR "/examples/leaderworkerset.yaml";

struct Answer {
  int status = 0;
  std::string out;
  std::string err;
};

using toposeg::test::Folder;

struct Program {
  std::string called_as = "toposeg";
  std::string input;
  bool terminal = false;
  std::map<std::string, std::string> variables;
  Result<std::string> kubectl =
      fail(Code::kUnavailable, "cannot be run: No such file or directory", "kubectl");
  // What kubectl answers to one command, where not the same to every one.
  std::function<Result<std::string>(const std::vector<std::string>&)> kubectl_by_command;
  std::vector<std::vector<std::string>> executed;

  Answer run(const std::vector<std::string>& arguments) {
    std::vector<const char*> argv{called_as.c_str()};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    std::istringstream in(input);
    std::ostringstream out;
    std::ostringstream err;
    Environment environment;
    environment.variable = [this](const std::string& name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
    environment.execute = [this](const std::vector<std::string>& command,
                                 const OutputReader& reader) -> Result<void> {
      executed.push_back(command);
      const Result<std::string> text = kubectl_by_command ? kubectl_by_command(command) : kubectl;
      if (!text) return std::unexpected(text.error());
      std::istringstream output(*text);
      return reader(output);
    };
    environment.clock = std::make_shared<ManualClock>();
    const int status =
        cli::run(static_cast<int>(argv.size()), argv.data(), {in, out, err, terminal, terminal}, environment);
    return {status, out.str(), err.str()};
  }
};

[[nodiscard]] inline Answer toposeg(const std::vector<std::string>& arguments) {
  return Program().run(arguments);
}

}  // namespace toposeg::cli
