// What the program's exit status says. The larger one wins when several workloads end differently.
#pragma once

namespace toposeg::cli {

inline constexpr int kExitPlaced = 0;   // or: the question was answered
inline constexpr int kExitUnfit = 1;    // something required does not fit now
inline constexpr int kExitUsage = 2;    // the command line is wrong
inline constexpr int kExitInvalid = 3;  // an input is wrong or cannot be read

}  // namespace toposeg::cli
