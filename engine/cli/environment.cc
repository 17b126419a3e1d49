#include "engine/cli/environment.h"

#include <cstdlib>

#include "engine/cli/child_process.h"

namespace toposeg::cli {

Environment system_environment() {
  Environment environment;
  environment.variable = [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) return std::nullopt;
    return std::string(value);
  };
  environment.execute = run_child;
  environment.clock = std::make_shared<SystemClock>();
  return environment;
}

}  // namespace toposeg::cli
