#include "engine/cli/commands.h"

namespace toposeg::cli {

bool wants_colour(const Streams& streams, const Environment& environment) {
  const auto no_colour = environment.variable("NO_COLOR");
  return streams.out_is_terminal && (!no_colour || no_colour->empty()) &&
         environment.variable("TERM") != "dumb";
}

}  // namespace toposeg::cli
