// Which segment sizes suit the cluster as it stands: what fits now beside what would fit were every node
// healthy and empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "engine/cli/session.h"
#include "engine/placement/engine.h"

namespace toposeg::cli {

struct SizesAnswer {
  engine::Slots now;
  engine::Slots intact;  // of the same sizes and levels
};

// Sizes worth comparing, ascending: powers of two as far as the largest domain goes, the divisors of what the
// closest domains of more than one pod hold, and the whole, half and third of what those of each level hold.
[[nodiscard]] std::vector<int> useful_sizes(const engine::Slots& intact);

// Of the capacity that is free now, in pods, how much segments of a size could use at a level.
[[nodiscard]] std::int64_t usable(const SizesAnswer& answer, std::size_t level, std::size_t size);

// True when something of this size fits, and no larger of the sizes uses as much.
[[nodiscard]] bool is_best(const SizesAnswer& answer, std::size_t level, std::size_t size);

// One row a size, one column a level, not wider than 80 characters: levels that do not go into that are left
// out, the widest first, and so are those whose domains hold one pod; a line says which.
void print_sizes_table(std::ostream& out, const SizesAnswer& answer, const Session& session, bool colour);

// The members beside apiVersion, kind, topology and pod.
[[nodiscard]] nlohmann::ordered_json sizes_report(const SizesAnswer& answer);

}  // namespace toposeg::cli
