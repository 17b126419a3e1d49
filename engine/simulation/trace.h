// Traces of jobs as files: CSV with a line of headings, or a JSON object a line. trace_fields.h has the
// names.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "engine/simulation/job.h"
#include "engine/simulation/site.h"

namespace toposeg::simulation {

// Jobs in the order of the file, which is the order of their arrival. The form follows from the first
// character that is no blank: { begins JSON. Empty lines are passed over. The first fault is reported, with
// `file:line` and the field: an unknown field, a value out of range, a missing or a second one, a name that
// was there before, a time before the one above. kTooLarge beyond a million jobs. Linear.
[[nodiscard]] Result<std::vector<Job>> read_trace(std::istream& input, const std::string& file,
                                                  const Site& site);

// CSV that read_trace() gives back.
void write_trace(std::ostream& out, const std::vector<Job>& jobs, const Site& site);

}  // namespace toposeg::simulation
