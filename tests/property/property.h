// A property that every scenario must have, and the search for one that has not: random scenarios, and the
// failing one made as small as it goes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "scenario.h"

namespace toposeg::property {

// Empty = it holds; otherwise what is wrong. Must depend on the scenario alone, so that shrinking can ask
// again.
using Property = std::function<std::string(const Scenario&)>;

struct Counterexample {
  Scenario scenario;  // shrunk
  std::string fault;
  std::string text;  // a case file, ready to be kept: what came stands in its [expect] section
};

// The smallest scenario found that still fails, by leaving out and reducing one thing at a time until nothing
// more can go.
[[nodiscard]] Scenario shrink(Scenario failing, const Property& property);

// `instances` random scenarios from the seed; none = the property held for all.
[[nodiscard]] std::optional<Counterexample> falsify(const Property& property, int instances,
                                                    std::uint64_t seed);

}  // namespace toposeg::property
