// What the objects of each resource become: facts for the engine, and a word to the listener.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/log.h"
#include "common/config/config.h"
#include "engine/placement/engine.h"
#include "webhook/cluster/cluster_listener.h"
#include "webhook/kube_api/reflector.h"

namespace toposeg::webhook {

// What every sink works with. All outlive the sinks.
struct SinkContext {
  engine::Engine& engine;
  ClusterListener& listener;
  const config::WorkloadConfig& config;
  const log::Logger& logger;
};

// An object that cannot be read is logged and passed over: the rest of the cluster still counts.
class NodeSink final : public kube_api::Sink {
 public:
  explicit NodeSink(const SinkContext& context) : context_(context) {}
  void upsert(const json::Document& object) override;
  void remove(std::string_view namespace_, std::string_view name) override;
  void synced() override {}

 private:
  const SinkContext& context_;
};

class PodSink final : public kube_api::Sink {
 public:
  explicit PodSink(const SinkContext& context) : context_(context) {}
  void upsert(const json::Document& object) override;
  void remove(std::string_view namespace_, std::string_view name) override;
  void synced() override {}

 private:
  const SinkContext& context_;
};

// The workloads of all kinds, kept as documents: what one means depends on the topologies, so a change of
// those reads them all again. Thread safe.
class WorkloadShelf {
 public:
  explicit WorkloadShelf(const SinkContext& context) : context_(context) {}

  void upsert(const json::Document& object);
  void remove(std::string_view kind, std::string_view namespace_, std::string_view name);
  void read_again();
  // From now on workloads that come are new ones.
  void complete();

  struct Entry {
    workload::Workload workload;
    std::int64_t created = 0;  // seconds since the epoch, 0 = unknown
    bool finished = false;     // its status says Succeeded or Failed
  };
  // Those that can be placed, the oldest first.
  [[nodiscard]] std::vector<Entry> oldest_first() const;
  // The workload's annotation toposeg.io/plan, as the cluster shows it; empty = it has none.
  [[nodiscard]] std::string plan_text(const workload::Identity& identity) const;

 private:
  using Key = std::pair<std::string, std::string>;  // kind, namespace/name
  void take(const json::Document& object, bool is_new);

  const SinkContext& context_;
  mutable std::mutex mutex_;
  std::map<Key, json::Document> documents_;
  std::map<Key, Entry> entries_;
  bool complete_ = false;
};

class WorkloadSink final : public kube_api::Sink {
 public:
  WorkloadSink(std::string kind, WorkloadShelf& shelf) : kind_(std::move(kind)), shelf_(shelf) {}
  void upsert(const json::Document& object) override { shelf_.upsert(object); }
  void remove(std::string_view namespace_, std::string_view name) override {
    shelf_.remove(kind_, namespace_, name);
  }
  void synced() override {}

 private:
  const std::string kind_;
  WorkloadShelf& shelf_;
};

class TopologySink final : public kube_api::Sink {
 public:
  TopologySink(std::string api_group, const SinkContext& context, WorkloadShelf& shelf)
      : api_group_(std::move(api_group)), context_(context), shelf_(shelf) {}
  void upsert(const json::Document& object) override;
  void remove(std::string_view namespace_, std::string_view name) override;
  void synced() override {}

 private:
  const std::string api_group_;
  const SinkContext& context_;
  WorkloadShelf& shelf_;
};

}  // namespace toposeg::webhook
