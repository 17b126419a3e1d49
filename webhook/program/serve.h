// `toposeg-webhook serve`: the webhook on a live cluster, or on one that is described by files.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "common/config/config.h"

namespace toposeg::webhook {

struct ServeOptions {
  std::vector<std::string> snapshots;  // cluster files; empty = a live cluster
  std::string kubeconfig;              // how to reach it; empty = as a pod of it
  std::string context;                 // of the kubeconfig; empty = its current one
  std::string write_ca;                // where the self-made CA goes; empty = nowhere
};

// Serves until SIGTERM or SIGINT, then drains; a second one ends at once. SIGHUP reads the files again, and
// so does any change of them. Prints one JSON line with the real ports to `out` once both listen; everything
// else is logged. Returns the exit status: 0 drained, 1 could not start, 3 a file or the configuration is
// wrong.
[[nodiscard]] int serve(const ServeOptions& options, const config::Config& config, std::ostream& out,
                        std::ostream& err);

}  // namespace toposeg::webhook
