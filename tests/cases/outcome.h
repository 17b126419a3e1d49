// What came out of a case: the meaning of the manifest and the plan for it, and how both are written in a
// case file.
#pragma once

#include <string>
#include <vector>

#include "common/workload/normalise.h"
#include "engine/placement/engine.h"

namespace toposeg::cases {

struct Outcome {
  workload::Normalised meaning;
  engine::Plan plan;  // empty when the manifest was refused

  [[nodiscard]] std::vector<Error> refusals() const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] bool planned() const { return refusals().empty(); }
};

// `0-3`, `0,2-4`, `-` when empty; Masters are `master-0`.
[[nodiscard]] std::string pods_text(const std::vector<engine::PlannedPod>& pods);
// `zone-a/rack-1`; `-` for no domain.
[[nodiscard]] std::string path_text(const std::vector<std::string>& path);
[[nodiscard]] std::string status_text(engine::SegmentStatus status);
// `rack` for example.com/rack and the labels of the seed page, else the label.
[[nodiscard]] std::string level_name(const std::string& label);

// The outcome in the words of an [expect] section, for a person who compares.
[[nodiscard]] std::string describe(const Outcome& outcome);

}  // namespace toposeg::cases
