// The [workload] section: a manifest in a few lines, for cases whose subject is not the manifest itself
// (those have a [manifest] section with plain YAML).
//
//   [workload]
//   pytorchjob workers=16 master=1
//   worker gpu=1
//   size 4
//   required rack
#pragma once

#include <string>

#include "case_file.h"
#include "common/json/decode.h"

namespace toposeg::cases {

// The object as a user would have sent it. Errors carry `file:line`.
[[nodiscard]] Result<json::Document> read_workload(const Section& section, const std::string& file);

}  // namespace toposeg::cases
