// One workload of the input with everything that was found out about it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/json/decode.h"
#include "common/workload/normalise.h"
#include "engine/cli/options.h"
#include "engine/cli/session.h"
#include "engine/placement/engine.h"

namespace toposeg::cli {

enum class Outcome : std::uint8_t {
  kPlaced,   // everything needed has a place, or nothing was asked
  kUnfit,    // right, but something required has no room now
  kRefused,  // wrong: see causes
};

struct PlannedWorkload {
  workload::Normalised normalised;
  engine::Plan plan;                  // empty when refused by normalising
  std::vector<Error> causes;          // why it is refused, or why nothing could be planned
  std::vector<std::string> warnings;  // as the webhook gives them
  Outcome outcome = Outcome::kPlaced;

  [[nodiscard]] const workload::Workload& workload() const { return normalised.workload; }
};

// The configuration as the sender options bend it: with `managed`, everything counts as managed that no
// annotation of its own excludes.
[[nodiscard]] config::WorkloadConfig workload_config(const config::Config& config,
                                                     const SenderOptions& sender);

// Normalises and plans, and reserves the space for what comes next in the input. A manifest without a
// namespace gets `namespace_`, one with generateName a name that no other has (`train-<1>`).
[[nodiscard]] PlannedWorkload plan_workload(const json::Document& object, const Options& options, int number,
                                            Session& session);

// "PyTorchJob default/train".
[[nodiscard]] std::string title(const workload::Identity& identity);
// "pytorchjob.kubeflow.org/train", as `kubectl -o name` prints it.
[[nodiscard]] std::string resource_name(const workload::Identity& identity);

// Warnings as kubectl prints them, then causes with their field paths.
void print_findings(std::ostream& err, const PlannedWorkload& planned);

}  // namespace toposeg::cli
