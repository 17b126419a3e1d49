// The state of a serving process as JSON, for people with `curl` and for bug reports. Never an object of the
// cluster, only names and numbers.
#pragma once

#include <string>

#include "engine/placement/engine.h"

namespace toposeg::webhook {

// {"topologies":[{"topology", "levels", "domains":[{"level","path","nodes","healthy","idle","free"}],
// "outside"}]}; `free` counts pods that take a whole host. Single nodes are left out unless they are a level
// of their own.
[[nodiscard]] std::string topology_page(engine::Engine& engine);

// {"pods":[{"namespace","workload","group","index","role","host","state","seconds_left"}]}
[[nodiscard]] std::string ledger_page(const engine::Engine& engine);

// {"segments":[{"namespace","workload","group","segment","reason"}]}
[[nodiscard]] std::string waiting_page(const engine::Engine& engine);

}  // namespace toposeg::webhook
