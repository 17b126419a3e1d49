// Who stands on which host by the plans: the segments, and the pods in none.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/cli/planned_workload.h"
#include "engine/cli/unit.h"
#include "engine/picture/scene.h"

namespace toposeg::cli {

// Pods of one party on one host.
struct Visit {
  int party = 0;
  std::int64_t units = 0;
  bool reserved = true;  // what is free on the host is already without them
  std::string pods;      // "0-3"
};

struct Parties {
  std::string title;  // whose plan it is
  std::vector<picture::Party> parties;
  std::map<std::string, std::vector<Visit>> guests;  // by host
  int segments = 0;
  int placed = 0;
};

// Of the plans on this topology, in their order.
[[nodiscard]] Parties parties_of(std::span<const PlannedWorkload> workloads, const std::string& topology,
                                 const Unit& unit);

}  // namespace toposeg::cli
