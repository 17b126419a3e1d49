// The workloads that a person asks about.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/json/decode.h"
#include "engine/cli/options.h"
#include "engine/cli/streams.h"

namespace toposeg::cli {

struct Manifests {
  std::vector<json::Document> workloads;   // in the order of the input, at least one
  std::map<std::string, int> passed_over;  // kind -> objects of it
};

// Every workload of the files ("-" = standard input): several documents, Lists, YAML or JSON. Objects of
// other kinds are passed over. kInvalid when a document is no object or no workload is left; errors name
// file:line.
[[nodiscard]] Result<Manifests> read_manifests(const std::vector<std::string>& files, const Streams& streams);

// "2 ConfigMap, 1 Service"; empty when nothing was passed over.
[[nodiscard]] std::string counted(const std::map<std::string, int>& kinds);

}  // namespace toposeg::cli
