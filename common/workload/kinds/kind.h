// One adapter a kind: it knows where a manifest keeps things, and nothing else. Adding a kind is one new file
// beside this one plus its line in kinds.cc.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/config/config.h"
#include "common/json/pointer.h"
#include "common/workload/workload.h"

namespace toposeg::workload {

// Where a key may stand and how it is written there. PyTorchJob: a plain annotation map; DistributedWorkload: a map
// of {value: X} under spec.annotations.items.
struct AnnotationMap {
  json::Path path;             // of the map itself
  bool wrapped = false;        // values are {value: X}
};

// A pod template of the manifest.
struct Template {
  json::Path path;             // e.g. spec/pytorchReplicaSpecs/Worker/template
  Role role = Role::kWorker;
};

// What an adapter finds in a manifest. Numbers that cannot be read are faults in `causes`, not exceptions.
struct Manifest {
  Identity identity;
  AnnotationMap root;                       // root annotations
  AnnotationMap worker;                     // worker template annotations
  std::vector<AnnotationMap> other;         // leader, Master templates: keys there have no effect
  std::vector<Template> templates;          // those whose pods the pods hook may need (label maps derive from these)
  int pods = 0;                             // R
  int groups = 1;
  int masters = 0;
  ExtraRole extra = ExtraRole::kNone;
  bool leader_excluded = false;             // LWS policy type
  std::optional<json::Document> native_size;  // subGroupSize, workersPerSegment, as written
  json::Path native_size_path;
  std::optional<int> needed_pods;           // elastic minimum of workers
  bool suspended = false;
  std::optional<kube::PodSpec> worker_spec;
  std::optional<kube::PodSpec> extra_spec;
  bool automatic_segments = true;           // automatic Preferred applies (never for LWS)
  bool size_on_root = false;                // segment-size is also read from the root (LWS)
  std::vector<Error> causes;
  std::vector<std::string> warnings;
};

// Stateless; thread safe.
class Kind {
 public:
  virtual ~Kind() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;       // PyTorchJob
  [[nodiscard]] virtual std::string_view api_group() const = 0;  // kubeflow.org
  [[nodiscard]] virtual Manifest read(const json::Document& object, const config::WorkloadConfig& config) const = 0;
  // A pod's place in a workload of this kind; none when it is not one. `labels`, `annotations` may be partial.
  [[nodiscard]] virtual std::optional<Member> member(const kube::Pod& pod) const = 0;
};

// Every registered kind, in a fixed order.
[[nodiscard]] std::span<const std::unique_ptr<const Kind>> kinds();
[[nodiscard]] const Kind* find_kind(std::string_view api_group, std::string_view kind);

}  // namespace toposeg::workload
