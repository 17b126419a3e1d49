// From an AdmissionReview to its answer. One public verb; hooks are files beside this one.
//
//   Reviewer reviewer(engine, config, metrics, clock);
//   std::string answer = reviewer.review(Hook::kPods, body, timeout);
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "common/config/config.h"
#include "common/json/decode.h"
#include "engine/placement/engine.h"

namespace prometheus {
class Registry;
}

namespace toposeg::webhook {

enum class Hook : std::uint8_t { kWorkloads, kPods, kTopologies };

struct ReviewAnswer {
  int http_status = 200;  // 400 for a body that is no AdmissionReview, 500 when even an answer cannot be made
  std::string body;       // an AdmissionReview, or a Status with any other code

  // For the log; empty where the body is no review.
  std::string uid;
  std::string decision;  // as in the audit annotation; empty for objects that are left alone
  std::string outcome;   // as in the metrics
  std::string fault;     // what went wrong on our side; empty = nothing
};

// What became of a pod that waits when it was tried again.
struct Retried {
  bool waits = true;
  std::string reason;  // of a pod that waits; empty when its workload is not there
  json::Document patch = json::Document::array();  // proved operations on the pod as it was given
  std::optional<int> segment;
  std::vector<std::string> domain;  // of a pod that was placed: label values, top level first
  std::string level;                // node label of that domain's level; empty = none
  std::string fault;                // what went wrong on our side; empty = nothing
};

// Thread safe.
class Reviewer {
 public:
  Reviewer(engine::Engine& engine, const config::Config& config,
           std::shared_ptr<prometheus::Registry> metrics, const Clock& clock);
  ~Reviewer();

  // Seconds since the view of the cluster was last confirmed, for audit annotations; without it they do not
  // say. Before the first review only.
  void view_age(std::function<std::chrono::seconds()> age);

  // Never throws. `timeout` is what is left of the caller's patience.
  [[nodiscard]] ReviewAnswer review(Hook hook, std::string_view body, std::chrono::milliseconds timeout);

  // Decides anew on a pod that exists and is held by our gate; what is decided is reserved, unless the
  // question is only what would be. Never throws.
  enum class Intent : std::uint8_t { kReserve, kAsk };
  [[nodiscard]] Retried retry(const json::Document& pod, const std::string& namespace_,
                              std::chrono::milliseconds timeout, Intent intent = Intent::kReserve);
  // What retry() reserved is not used: the pod could not be changed.
  void give_back(const workload::Member& member);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace toposeg::webhook
