// Advice on fragmentation, for people.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "engine/cli/session.h"
#include "engine/placement/engine.h"

namespace toposeg::cli {

// The options with their moves, the slots of every level before and after each, and what is proven.
void print_defrag_table(std::ostream& out, const engine::DefragAdvice& advice, const Session& session,
                        bool colour);

// The members beside apiVersion, kind and pod.
[[nodiscard]] nlohmann::ordered_json defrag_report(const engine::DefragAdvice& advice);

}  // namespace toposeg::cli
