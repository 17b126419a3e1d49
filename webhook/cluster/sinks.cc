#include "webhook/cluster/sinks.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "common/json/pointer.h"
#include "common/kube/read.h"
#include "common/kube/timestamp.h"
#include "common/workload/keys.h"
#include "common/workload/normalise.h"

namespace toposeg::webhook {
namespace {

using json::Document;

void report_unread(const SinkContext& context, const Document& object, const Error& error) {
  context.logger.warn("Object passed over", {{"kind", json::text_at(object, {"kind"})},
                                             {"namespace", json::text_at(object, {"metadata", "namespace"})},
                                             {"name", json::text_at(object, {"metadata", "name"})},
                                             {"err", error.text()}});
}

// PyTorchJobs end; LeaderWorkerSets do not.
bool has_finished(const Document& object) {
  const Document* conditions = json::at(object, {"status", "conditions"});
  if (conditions == nullptr || !conditions->is_array()) return false;
  return std::any_of(conditions->begin(), conditions->end(), [](const Document& condition) {
    const std::string type = json::text_at(condition, {"type"});
    return (type == "Succeeded" || type == "Failed") && json::text_at(condition, {"status"}) == "True";
  });
}

}  // namespace

void NodeSink::upsert(const Document& object) {
  const auto node = kube::read_node(object);
  if (!node) return report_unread(context_, object, node.error());
  context_.engine.upsert_node(*node);
  context_.listener.room_changed();
}

void NodeSink::remove(std::string_view /*namespace_*/, std::string_view name) {
  context_.engine.remove_node(name);
  context_.listener.room_changed();
}

void PodSink::upsert(const Document& object) {
  const auto pod = kube::read_pod(object);
  if (!pod) return report_unread(context_, object, pod.error());
  context_.engine.upsert_pod(*pod);
  context_.listener.pod_seen(*pod);
}

void PodSink::remove(std::string_view namespace_, std::string_view name) {
  context_.engine.remove_pod(namespace_, name);
  context_.listener.pod_gone(namespace_, name);
}

void WorkloadShelf::upsert(const Document& object) {
  const Key key{json::text_at(object, {"kind"}),
                kube::full_name(json::text_at(object, {"metadata", "namespace"}),
                                json::text_at(object, {"metadata", "name"}))};
  const std::scoped_lock lock(mutex_);
  const bool is_new = !documents_.contains(key);
  documents_.insert_or_assign(key, object);
  take(object, is_new);
}

void WorkloadShelf::remove(std::string_view kind, std::string_view namespace_, std::string_view name) {
  const Key key{kind, kube::full_name(namespace_, name)};
  const std::scoped_lock lock(mutex_);
  documents_.erase(key);
  const auto entry = entries_.find(key);
  if (entry == entries_.end()) return;
  const workload::Identity identity = entry->second.workload.identity;
  entries_.erase(entry);
  context_.engine.remove_workload(identity);
  context_.listener.workload_gone(identity);
}

void WorkloadShelf::read_again() {
  const std::scoped_lock lock(mutex_);
  for (const auto& [key, object] : documents_) take(object, false);
}

void WorkloadShelf::complete() {
  const std::scoped_lock lock(mutex_);
  complete_ = true;
}

// With the lock held.
void WorkloadShelf::take(const Document& object, bool is_new) {
  const auto topologies = context_.engine.topologies();
  workload::Normalised normalised = workload::normalise(object, {topologies, context_.config, {}});
  const workload::Identity identity = normalised.workload.identity;
  const Key key{identity.kind, kube::full_name(identity.namespace_, identity.name)};
  if (!normalised.causes.empty()) {
    // It was made without us, or the topology that it names is gone.
    context_.logger.debug(
        "Workload not placed",
        {{"kind", key.first}, {"name", key.second}, {"err", normalised.causes.front().text()}});
    if (entries_.erase(key) > 0) context_.engine.forget_workload(identity);
    return;
  }
  Entry& entry = entries_[key];
  entry = {std::move(normalised.workload),
           kube::read_timestamp(json::at(object, {"metadata", "creationTimestamp"})), has_finished(object)};
  context_.engine.upsert_workload(entry.workload);
  context_.listener.workload_seen(entry.workload, object, is_new && complete_);
}

std::string WorkloadShelf::plan_text(const workload::Identity& identity) const {
  const std::scoped_lock lock(mutex_);
  const auto found = documents_.find({identity.kind, kube::full_name(identity.namespace_, identity.name)});
  if (found == documents_.end()) return {};
  return json::text_at(found->second, {"metadata", "annotations", std::string(workload::keys::kPlan)});
}

std::vector<WorkloadShelf::Entry> WorkloadShelf::oldest_first() const {
  std::vector<Entry> entries;
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [key, entry] : entries_) {
      if (entry.workload.constrained()) entries.push_back(entry);
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.created, a.workload.identity) < std::tie(b.created, b.workload.identity);
  });
  return entries;
}

void TopologySink::upsert(const Document& object) {
  auto topology = kube::read_topology(object);
  if (!topology) return report_unread(context_, object, topology.error());
  if (const auto faults = kube::validate_topology(*topology); !faults.empty()) {
    return report_unread(context_, object, faults.front());
  }
  context_.engine.upsert_topology(*std::move(topology));
  shelf_.read_again();
  context_.listener.room_changed();
}

void TopologySink::remove(std::string_view /*namespace_*/, std::string_view name) {
  context_.engine.remove_topology(name, api_group_);
  shelf_.read_again();
  context_.listener.room_changed();
}

}  // namespace toposeg::webhook
