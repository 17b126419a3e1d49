// The one workload of the input that a question is about.
#pragma once

#include <expected>
#include <vector>

#include "engine/cli/planned_workload.h"

namespace toposeg::cli {

// Plans the workloads of the input in order up to the one named by options.workload (or the only one), each
// reserving its space, as `plan` does. Its warnings and causes are printed. Errors: unreadable input, no such
// workload, several and none named, or the workload is refused.
[[nodiscard]] std::expected<PlannedWorkload, std::vector<Error>> choose_workload(
    const std::vector<json::Document>& objects, const Options& options, const Streams& streams,
    Session& session);

}  // namespace toposeg::cli
