#include "engine/cli/chosen_workload.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "common/base/text.h"

namespace toposeg::cli {
namespace {

Error not_chosen(const Options& options, const std::vector<std::string>& names) {
  const std::string there = join(names, ", ");
  if (options.workload.empty()) {
    return {Code::kInvalid, fmt::format("is needed, since the input holds several workloads: {}", there),
            "--workload"};
  }
  return {Code::kInvalid,
          fmt::format("no workload is named {}; there are: {}", quote(options.workload), there),
          "--workload"};
}

}  // namespace

std::expected<PlannedWorkload, std::vector<Error>> choose_workload(const std::vector<json::Document>& objects,
                                                                   const Options& options,
                                                                   const Streams& streams, Session& session) {
  std::vector<std::string> names;
  int number = 0;
  for (const json::Document& object : objects) {
    PlannedWorkload planned = plan_workload(object, options, ++number, session);
    const std::string& name = planned.workload().identity.name;
    names.push_back(name);
    if (objects.size() > 1 && name != options.workload) continue;
    if (!options.workload.empty() && name != options.workload) break;
    print_findings(streams.err, planned);
    if (!planned.causes.empty()) return std::unexpected(std::vector<Error>{});
    return planned;
  }
  return std::unexpected(std::vector<Error>{not_chosen(options, names)});
}

}  // namespace toposeg::cli
