// How many pods make a segment: which of the places counts, and whether the number is good.
#pragma once

#include "common/workload/inputs.h"
#include "common/workload/segments.h"

namespace toposeg::workload {

struct SegmentSize {
  Segments segments;     // .pods is always set; .size is 0 without a (valid) size
  bool written = false;  // somebody asked for segments, rightly or not
};

// The annotation, else the kind's native field. A size that breaks a bound is a cause that names the bound.
// The native field of a kind that uses it for purposes of its own is only taken when it is good, or when the
// user set a segment level as well.
[[nodiscard]] SegmentSize choose_size(const Manifest& manifest, const Inputs& inputs, int max_segments,
                                      Findings& findings);

}  // namespace toposeg::workload
