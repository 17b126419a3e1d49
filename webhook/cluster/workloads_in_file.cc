#include "webhook/cluster/workloads_in_file.h"

#include "common/kube/read.h"
#include "common/workload/normalise.h"

namespace toposeg::webhook {
namespace {

// A cluster file is an operator's own, so only runaway input is refused.
constexpr json::Limits kFileLimits{.bytes = std::size_t{1} << 30U, .depth = 64, .duplicate_keys = false};

std::string name_of(const workload::Identity& identity) {
  return identity.kind + " " + identity.namespace_ + "/" + identity.name;
}

}  // namespace

Result<FoundWorkloads> workloads_in(std::string_view text, const std::string& file_name,
                                    const std::vector<kube::Topology>& topologies,
                                    const config::WorkloadConfig& config) {
  const auto documents = kube::read_documents(text, file_name, kFileLimits);
  if (!documents) return std::unexpected(documents.error());
  FoundWorkloads found;
  const workload::NormaliseContext context{topologies, config, {}};
  for (const json::Document& document : *documents) {
    if (!workload::is_workload(document)) continue;
    workload::Normalised normalised = workload::normalise(document, context);
    if (normalised.causes.empty()) {
      found.workloads.push_back(std::move(normalised.workload));
    } else {
      found.notes.push_back(name_of(normalised.workload.identity) + ": " + normalised.causes.front().text());
    }
  }
  return found;
}

}  // namespace toposeg::webhook
