// The cluster as the API server tells it: every resource that decisions need is listed and watched, each on a
// thread of its own, and goes to the engine. A resource that the API server does not have is no fault; it is
// looked for again when a CustomResourceDefinition changes.
//
//   LiveCluster cluster(credentials, engine, config.workloads, listener, environment);
//   cluster.start();
//   …                       // cluster.loaded() once nodes, pods, topologies and workloads were listed
//   cluster.stop();
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "webhook/cluster/cluster_view.h"
#include "webhook/cluster/sinks.h"
#include "webhook/kube_api/credentials.h"
#include "webhook/kube_api/environment.h"
#include "webhook/kube_api/reflector.h"

namespace toposeg::webhook {

// Thread safe.
class LiveCluster final : public ClusterView {
 public:
  // Everything given by reference outlives the cluster.
  LiveCluster(const kube_api::Credentials& credentials, engine::Engine& engine,
              const config::WorkloadConfig& config, ClusterListener& listener,
              const kube_api::Environment& environment);
  ~LiveCluster() override;

  void start();  // once
  void stop();   // no word to engine or listener comes after it

  // True from when each resource was listed once, or found absent, and reservations were rebuilt.
  [[nodiscard]] bool loaded() const override;
  // Since the last word about nodes or pods, whichever is older; bookmarks count, and come every minute.
  [[nodiscard]] std::chrono::seconds age() const override;

  // Rebuilds what a restart lost, once everything was listed: the workloads that have living pods, or are
  // younger than `plan_ttl`, get the space of their missing pods reserved again: first of all of them what
  // their plan annotations say and still fits, then the rest planned anew, the oldest first. Does nothing,
  // and returns false, before that and after it was done.
  bool settle(std::chrono::seconds plan_ttl);

  [[nodiscard]] std::vector<std::pair<std::string, kube_api::ReflectorStatistics>> statistics() const;

 private:
  class DefinitionSink;
  struct Followed;

  void follow(kube_api::Resource resource, std::unique_ptr<kube_api::Sink> sink,
              const kube_api::Reflector::Options& options);
  void wake_absent();
  [[nodiscard]] bool listed() const;
  // Those for which space is to be held, the oldest first.
  [[nodiscard]] std::vector<workload::Workload> holders(std::chrono::seconds plan_ttl) const;

  const kube_api::Credentials credentials_;
  const kube_api::Environment environment_;
  engine::Engine& engine_;
  SinkContext context_;
  WorkloadShelf shelf_;
  std::vector<std::unique_ptr<Followed>> followed_;
  std::atomic<bool> settled_ = false;
};

}  // namespace toposeg::webhook
