// For which pods slots are wanted: those of a manifest, or one whole host each.
#pragma once

#include <expected>
#include <iosfwd>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/kube/records.h"
#include "engine/cli/options.h"
#include "engine/cli/session.h"
#include "engine/cli/streams.h"

namespace toposeg::cli {

struct SlotsQuestion {
  std::string topology;
  kube::PodSpec shape;
  std::vector<int> sizes{2, 4, 8, 16, 32};  // ascending
  std::string about;                        // whose pods are counted
};

// Errors: those of choose_workload().
[[nodiscard]] std::expected<SlotsQuestion, std::vector<Error>> ask_slots(const Options& options,
                                                                         const Streams& streams,
                                                                         Session& session);

// "cpu=16,memory=128Gi".
[[nodiscard]] std::string requests_text(const kube::PodSpec& shape);

// "Pods: one whole host each (nvidia.com/gpu=8)".
void print_about(std::ostream& out, const SlotsQuestion& question);

}  // namespace toposeg::cli
