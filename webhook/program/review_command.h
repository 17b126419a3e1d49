// `toposeg-webhook review`: what the webhook would answer, without a server.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "common/config/config.h"
#include "webhook/admission/reviewer.h"
#include "webhook/program/wrap_object.h"

namespace toposeg::webhook {

enum class ReviewOutput : std::uint8_t {
  kJson,     // the whole answer, as it goes to the API server
  kPatch,    // the operations of its patch, decoded
  kPatched,  // the object as it will be
};

struct ReviewOptions {
  std::vector<std::string> snapshots;  // none = a cluster without nodes
  std::optional<Hook> hook;            // none = by the kind of the object
  Sender sender;                       // for bare objects
  ReviewOutput output = ReviewOutput::kJson;
};

// Reads AdmissionReviews or bare objects (JSON or YAML, several documents, Lists) from `in`, reviews them in
// order on one engine, so that pods find the plan of their workload, and prints an answer for each. Warnings
// and denials go to `err` as kubectl shows them. Returns the exit status: 0 all allowed, 1 one denied, 3
// invalid input.
[[nodiscard]] int review_command(const ReviewOptions& options, const config::Config& config, std::istream& in,
                                 std::ostream& out, std::ostream& err);

}  // namespace toposeg::webhook
