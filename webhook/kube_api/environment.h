// What threads of this room take from outside, so that tests can put something else in its place.
#pragma once

#include "common/base/clock.h"
#include "common/base/log.h"
#include "common/base/random.h"
#include "common/base/waiter.h"

namespace toposeg::webhook::kube_api {

// What is referred to outlives the user.
struct Environment {
  const Clock& clock;
  Waiter& waiter;
  Random& random;
  log::Logger logger;
};

}  // namespace toposeg::webhook::kube_api
