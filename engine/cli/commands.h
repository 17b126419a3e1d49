// The commands of the program. Each prints its answer to streams.out, everything else to streams.err, and
// returns an exit status.
#pragma once

#include "engine/cli/environment.h"
#include "engine/cli/options.h"
#include "engine/cli/streams.h"

namespace toposeg::cli {

[[nodiscard]] int plan_command(const Options& options, const Streams& streams,
                               const Environment& environment);
[[nodiscard]] int slots_command(const Options& options, const Streams& streams,
                                const Environment& environment);
[[nodiscard]] int defrag_command(const Options& options, const Streams& streams,
                                 const Environment& environment);
[[nodiscard]] int topology_command(const Options& options, const Streams& streams,
                                   const Environment& environment);
[[nodiscard]] int explain_command(const Options& options, const Streams& streams,
                                  const Environment& environment);
[[nodiscard]] int status_command(const Options& options, const Streams& streams,
                                 const Environment& environment);
[[nodiscard]] int simulate_command(const Options& options, const Streams& streams,
                                   const Environment& environment);
[[nodiscard]] int generate_command(const Options& options, const Streams& streams,
                                   const Environment& environment);

// Whether to colour what goes to streams.out: only a terminal that is not dumb, and NO_COLOR is not set.
[[nodiscard]] bool wants_colour(const Streams& streams, const Environment& environment);

}  // namespace toposeg::cli
