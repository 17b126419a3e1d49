// The workloads that stand in a cluster file beside nodes and pods.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/config/config.h"
#include "common/kube/records.h"
#include "common/workload/workload.h"

namespace toposeg::webhook {

struct FoundWorkloads {
  std::vector<workload::Workload> workloads;  // in the order of the text
  std::vector<std::string> notes;             // faulty ones, by name, with the first cause
};

// Reads `text` as documents and normalises each object of a known workload kind. Errors as read_documents().
[[nodiscard]] Result<FoundWorkloads> workloads_in(std::string_view text, const std::string& file_name,
                                                  const std::vector<kube::Topology>& topologies,
                                                  const config::WorkloadConfig& config);

}  // namespace toposeg::webhook
