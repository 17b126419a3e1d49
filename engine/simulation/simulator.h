// Plays a trace through one policy, event by event, in virtual time.
//
// Jobs wait in order of arrival. After every instant at which something ended or came, those that wait are
// tried from the oldest on; a job starts with all its pods or not at all. Each job is tried when it comes, so
// that the policy knows of it. Then a demand that found no room is not tried again before something ends:
// what starts in between only takes room away.
#pragma once

#include <string>

#include "common/base/clock.h"
#include "common/base/error.h"
#include "engine/simulation/outcome.h"
#include "engine/simulation/policy.h"
#include "engine/simulation/scenario.h"

namespace toposeg::simulation {

// Ends when every job has ended, or never will start. kInternal when the policy overfills a host. `clock`
// measures decisions only.
[[nodiscard]] Result<Outcome> simulate(const Scenario& scenario, const std::string& name, Policy& policy,
                                       const Clock& clock);

}  // namespace toposeg::simulation
