#include "engine/cli/session.h"

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <utility>

#include "common/kube/read.h"
#include "common/workload/normalise.h"
#include "engine/cli/cluster_source.h"
#include "engine/cli/manifest_source.h"
#include "engine/placement/scope.h"

namespace toposeg::cli {
namespace {

std::expected<config::Config, std::vector<Error>> read_config(const std::string& file) {
  return file.empty() ? config::defaults() : config::load(file);
}

void note_passed_over(const ReadCluster& read, const Streams& streams) {
  if (read.passed_over.empty()) return;
  streams.err << "Note: passed over in the cluster: " << counted(read.passed_over) << '\n';
}

}  // namespace

Session::Session(config::Config config, const kube::Cluster& cluster, std::shared_ptr<const Clock> clock)
    : config_(std::move(config)),
      clock_(std::move(clock)),
      topologies_(kube::counting_topologies(cluster.topologies)),
      engine_(config_.engine, *clock_) {
  for (const kube::Node& node : cluster.nodes) nodes_.emplace(node.name, node);
  engine_.replace(cluster);
}

std::expected<std::unique_ptr<Session>, std::vector<Error>> Session::open(const Options& options,
                                                                          const Streams& streams,
                                                                          const Environment& environment) {
  auto config = read_config(options.config);
  if (!config) return std::unexpected(config.error());
  auto read = read_cluster_from(options.cluster, streams, environment);
  if (!read) return std::unexpected(std::vector<Error>{read.error()});
  note_passed_over(*read, streams);
  return std::unique_ptr<Session>(new Session(std::move(*config), read->cluster, environment.clock));
}

std::expected<std::unique_ptr<Session>, std::vector<Error>> Session::open_with_workloads(
    const Options& options, const Streams& streams, const Environment& environment) {
  auto config = read_config(options.config);
  if (!config) return std::unexpected(config.error());
  auto read = read_cluster_with_workloads(options.cluster, Namespaces::kAll, streams, environment);
  if (!read) return std::unexpected(std::vector<Error>{read.error()});
  auto session = std::unique_ptr<Session>(new Session(std::move(*config), read->cluster, environment.clock));
  const workload::NormaliseContext context{session->topologies_, session->config_.workloads, {}};
  for (const json::Document& object : read->workloads) {
    const workload::Normalised normalised = workload::normalise(object, context);
    if (normalised.causes.empty()) session->engine_.upsert_workload(normalised.workload);
  }
  return session;
}

std::unique_ptr<Session> Session::emptied() const {
  kube::Cluster cluster;
  for (const auto& [name, node] : nodes_) cluster.nodes.push_back(node);
  cluster.topologies = topologies_;
  return std::unique_ptr<Session>(new Session(config_, cluster, clock_));
}

const kube::Node* Session::node(const std::string& name) const {
  const auto found = nodes_.find(name);
  return found == nodes_.end() ? nullptr : &found->second;
}

std::string Session::level_name(const std::string& topology, int level) const {
  const auto found =
      std::find_if(topologies_.begin(), topologies_.end(),
                   [&](const kube::Topology& candidate) { return candidate.name == topology; });
  if (found == topologies_.end() || level < 0 || static_cast<std::size_t>(level) >= found->levels.size())
    return "";
  return engine::short_name(*found, level);
}

void print_errors(std::ostream& err, const std::vector<Error>& errors) {
  for (const Error& error : errors) err << "error: " << error.text() << '\n';
}

}  // namespace toposeg::cli
