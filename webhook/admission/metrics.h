// What the admission path counts. Label values come from fixed lists, so the number of series is bounded
// whatever arrives.
//
//   toposeg_admission_requests_total{resource,operation,outcome}
//   toposeg_admission_duration_seconds{resource}       from 0.1 ms
//   toposeg_placement_duration_seconds{resource}
//   toposeg_patch_self_check_failures_total
//   toposeg_admission_failures_total{resource}         faults on our side, answered all the same
//   toposeg_pods_left_alone_total{reason}
#pragma once

#include <chrono>
#include <memory>
#include <string_view>

#include "webhook/admission/review.h"
#include "webhook/admission/reviewer.h"
#include "webhook/admission/skip.h"

namespace prometheus {
class Registry;
}

namespace toposeg::webhook {

[[nodiscard]] std::string_view name_of(Hook hook);
[[nodiscard]] std::string_view name_of(Outcome outcome);

// Thread safe.
class Metrics {
 public:
  explicit Metrics(std::shared_ptr<prometheus::Registry> registry);
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  void answered(Hook hook, std::string_view operation, Outcome outcome, std::chrono::nanoseconds took);
  void malformed(Hook hook, std::chrono::nanoseconds took);
  void placed(Hook hook, std::chrono::nanoseconds took);
  void self_check_failed();
  void failed(Hook hook);
  void left_alone(SkipReason reason);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace toposeg::webhook
