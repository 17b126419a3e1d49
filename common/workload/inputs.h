// What the user wrote with our keys, each at the place where it counts.
#pragma once

#include <optional>

#include "common/workload/annotation.h"

namespace toposeg::workload {

struct Inputs {
  std::optional<Written> topology;  // of the worker template, else of the root
  std::optional<Written> size;      // annotation only; the native field is the manifest's
  std::optional<Written> segment_required;
  std::optional<Written> segment_preferred;
  std::optional<Written> whole_required;
  std::optional<Written> whole_preferred;
  bool any_key = false;  // a key of ours stands in the root or the worker template, whatever its value

  [[nodiscard]] bool segment_level() const { return segment_required || segment_preferred; }
  [[nodiscard]] bool whole_level() const { return whole_required || whole_preferred; }
};

[[nodiscard]] Inputs read_inputs(const json::Document& object, const Manifest& manifest, Findings& findings);

}  // namespace toposeg::workload
