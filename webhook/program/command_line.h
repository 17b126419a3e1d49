// The command line of toposeg-webhook: serve, review, version, and --print-config.
#pragma once

#include <iosfwd>

namespace toposeg::webhook {

// Runs the program; returns its exit status. 0 done, 1 denied or not started, 2 wrong usage, 3 invalid input.
[[nodiscard]] int run(int argc, const char* const* argv, std::istream& in, std::ostream& out,
                      std::ostream& err);

}  // namespace toposeg::webhook
