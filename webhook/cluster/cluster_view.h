// What the rest of the webhook asks of whatever tells the engine about the cluster: a file or the API server.
#pragma once

#include <chrono>

namespace toposeg::webhook {

// Thread safe.
class ClusterView {
 public:
  virtual ~ClusterView() = default;
  // The facts were complete once: decisions can be made.
  [[nodiscard]] virtual bool loaded() const = 0;
  // Since the facts were last known to be current. Zero before loaded().
  [[nodiscard]] virtual std::chrono::seconds age() const = 0;
};

}  // namespace toposeg::webhook
