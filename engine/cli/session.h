// One call of the program: its configuration and an engine that holds the cluster.
#pragma once

#include <expected>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/config/config.h"
#include "engine/cli/environment.h"
#include "engine/cli/options.h"
#include "engine/cli/streams.h"
#include "engine/placement/engine.h"

namespace toposeg::cli {

// The engine keeps a reference to the clock, so a session stays where it was made.
class Session {
 public:
  // Reads the configuration, then the cluster; notes go to streams.err. All faults of the configuration come
  // at once, of the cluster the first.
  [[nodiscard]] static std::expected<std::unique_ptr<Session>, std::vector<Error>> open(
      const Options& options, const Streams& streams, const Environment& environment);
  // The same with the workloads of all namespaces known to the engine. Those that ask for what cannot be are
  // passed over.
  [[nodiscard]] static std::expected<std::unique_ptr<Session>, std::vector<Error>> open_with_workloads(
      const Options& options, const Streams& streams, const Environment& environment);

  // The same nodes and topologies with nobody on them: for plans that must leave no trace here.
  [[nodiscard]] std::unique_ptr<Session> emptied() const;

  [[nodiscard]] engine::Engine& engine() { return engine_; }
  [[nodiscard]] const config::Config& config() const { return config_; }
  [[nodiscard]] const std::vector<kube::Topology>& topologies() const { return topologies_; }
  // A node as it was read, or nullptr for an unknown one.
  [[nodiscard]] const kube::Node* node(const std::string& name) const;
  // Short name of a level for people: its alias, else what its label ends in. The label itself when the
  // topology is unknown.
  [[nodiscard]] std::string level_name(const std::string& topology, int level) const;

 private:
  Session(config::Config config, const kube::Cluster& cluster, std::shared_ptr<const Clock> clock);

  config::Config config_;
  std::shared_ptr<const Clock> clock_;
  std::vector<kube::Topology> topologies_;
  std::map<std::string, kube::Node, std::less<>> nodes_;
  engine::Engine engine_;
};

// Each fault on a line of its own, after "error: ".
void print_errors(std::ostream& err, const std::vector<Error>& errors);

}  // namespace toposeg::cli
