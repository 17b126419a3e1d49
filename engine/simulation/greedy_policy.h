// Segment by segment, each into one domain chosen by a simple rule and never moved again.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/simulation/draft.h"
#include "engine/simulation/policy.h"
#include "engine/simulation/seeded_random.h"

namespace toposeg::simulation {

// The rule chooses among the domains that hold the segment at the level it asks for; where none does, at the
// next level up, as far as its required level allows. Inside the domain the same rule chooses down to the
// hosts. A domain for the whole job is chosen the same way; one in which the segments do not fit is left for
// the next.
class GreedyPolicy final : public Policy {
 public:
  enum class Rule : std::uint8_t { kFirst, kWidest, kTightest, kRandom };
  GreedyPolicy(Rule rule, std::uint64_t seed) : rule_(rule), random_(seed) {}

  [[nodiscard]] std::optional<Placement> place(const Job& job, Floor& floor) override;

 private:
  using Vertices = std::vector<engine::Vertex>;

  [[nodiscard]] std::optional<engine::Vertex> choose(const Draft& draft, engine::VertexRange domains,
                                                     std::int32_t pods);
  [[nodiscard]] Vertices in_order(const Draft& draft, engine::VertexRange domains, std::int32_t pods);
  [[nodiscard]] std::optional<Placement> place_within(Draft& draft, const Job& job, engine::Vertex whole);
  [[nodiscard]] std::optional<engine::Vertex> domain_for(const Draft& draft, const Job& job,
                                                         std::int32_t pods, engine::Vertex whole);
  void fill(Draft& draft, engine::Vertex domain, std::int32_t pods, Vertices& hosts);

  Rule rule_;
  SeededRandom random_;
};

}  // namespace toposeg::simulation
