// How to choose hosts for a job. The simulator drives every policy through this and knows none of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/simulation/floor.h"
#include "engine/simulation/job.h"
#include "engine/simulation/site.h"

namespace toposeg::simulation {

class Policy {
 public:
  virtual ~Policy() = default;
  // Hosts for all pods of the job, with its required levels kept; nothing when it finds none now. What it
  // answers is taken from the floor by the caller, always.
  [[nodiscard]] virtual std::optional<Placement> place(const Job& job, Floor& floor) = 0;
  // A job that was placed is over.
  virtual void ended(const Job& job) { (void)job; }
  // A job that found no room will not be tried again.
  virtual void given_up(const Job& job) { (void)job; }
};

struct PolicyName {
  std::string_view name;
  std::string_view description;
};
// Ours first.
[[nodiscard]] const std::vector<PolicyName>& policies();

// Null for an unknown name. The site must outlive the policy; `seed` is for policies that draw lots.
[[nodiscard]] std::unique_ptr<Policy> make_policy(std::string_view name, const Site& site,
                                                  std::uint64_t seed);

}  // namespace toposeg::simulation
