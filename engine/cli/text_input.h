// Files that a person names on the command line.
#pragma once

#include <functional>
#include <string>

#include "common/base/error.h"
#include "engine/cli/streams.h"

namespace toposeg::cli {

// Opens a file ("-" = standard input) and hands it on with the name to use in messages. kUnavailable when it
// does not exist, is a directory or cannot be read; kInvalid when it is empty, with what was expected.
[[nodiscard]] Result<void> with_input(
    const std::string& file, const Streams& streams,
    const std::function<Result<void>(std::istream& input, const std::string& name)>& use,
    const std::string& expected = "Kubernetes objects as YAML or JSON");

}  // namespace toposeg::cli
