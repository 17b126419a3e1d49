// From a manifest to what it means: the steps of the semantics page in order (find the inputs, size, levels,
// topology, automatic placement), each saying what it defaulted, ignored or refused.
//
//   NormaliseContext context{.topologies = view, .config = config.workloads, .requester = who};
//   Normalised result = normalise(object, context);
//   if (!result.causes.empty()) deny(result.causes);
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/config/config.h"
#include "common/json/edit.h"
#include "common/workload/workload.h"

namespace toposeg::workload {

// Who sends the object; decides automatic placement.
struct Requester {
  std::string user;
  std::vector<std::string> groups;
  std::string field_manager;  // empty = none sent (controllers)
};

struct NormaliseContext {
  std::span<const kube::Topology> topologies;
  const config::WorkloadConfig& config;
  Requester requester;
};

// One change of the object: an absent key set at a path. Nothing of the user's is ever rewritten.
struct Addition {
  json::Path path;
  json::Document value;
  friend bool operator==(const Addition&, const Addition&) = default;
};

struct Normalised {
  Workload workload;                  // meaningful when causes is empty
  bool managed = false;               // a rule of the configuration said so
  bool relevant = false;              // some segment or level input is present (or was added)
  std::vector<Error> causes;          // faults: refuse the object. `where` is the field path
  std::vector<std::string> warnings;  // each at most 120 characters, in the order of the object
  std::vector<Addition> additions;  // keys and labels for the templates and the root, parents before children
};

// True for a kind that an adapter knows (apiVersion and kind of the object).
[[nodiscard]] bool is_workload(const json::Document& object);

// Never fails: faults are causes. Pure; same input, same output.
[[nodiscard]] Normalised normalise(const json::Document& object, const NormaliseContext& context);

// Which workload's pod this is, by labels, owners, annotations and name, before or after the operator's own
// webhook; none when it is no pod of a known kind. `pod` is the pod object as received (name may be missing).
[[nodiscard]] std::optional<Member> member_of(const json::Document& pod, const std::string& namespace_);
// The same from a record, for pods read from the cluster.
[[nodiscard]] std::optional<Member> member_of(const kube::Pod& pod);

// A pod's own segment inputs, as the workload hook left them on its template: enough to place it when the
// workload itself was never seen. The result is a Workload whose segments.pods is a lower bound (PyTorchJob:
// index + 1).
[[nodiscard]] Normalised normalise_pod(const json::Document& pod, const Member& member,
                                       const NormaliseContext& context);

}  // namespace toposeg::workload
