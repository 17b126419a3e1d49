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

// Where keys may stand and how they are written there. PyTorchJob: a plain annotation map;
// DistributedWorkload: a map of {value: X} under spec.annotations.items.
struct AnnotationMap {
  json::Path path;       // of the map itself; empty = there is none
  bool wrapped = false;  // values are {value: X}
  std::string place;     // for people, short: "the Worker template"
};

// The label map of a pod template of the manifest.
struct Template {
  json::Path labels;  // e.g. spec/pytorchReplicaSpecs/Worker/template/metadata/labels
  Role role = Role::kWorker;
  bool wrapped = false;  // values are {value: X}
};

// What an adapter finds in a manifest. Numbers that cannot be read are faults in `causes`, not exceptions.
struct Manifest {
  Identity identity;
  AnnotationMap root;                // root annotations
  AnnotationMap worker;              // worker template annotations
  bool worker_is_root = false;       // the worker map speaks for the whole workload too (DistributedWorkload)
  std::vector<AnnotationMap> other;  // leader, Master templates: keys there have no effect
  std::vector<Template> templates;   // those that exist, the workers' first
  int pods = 0;                      // R
  bool pods_known = true;            // false: R could not be read (a cause says so), or is only a lower bound
  std::string pods_text;             // R for people: "the 16 worker replicas"
  int groups = 1;
  int masters = 0;
  ExtraRole extra = ExtraRole::kNone;
  bool leader_excluded = false;               // LWS policy type
  bool has_leader = false;                    // pod 0 of a group is a leader (LWS): its segment rules apply
  std::optional<json::Document> native_size;  // subGroupSize, workersPerSegment, as written
  json::Path native_size_path;
  bool native_size_is_ours =
      false;                       // the field is there for segments alone (not LWS: it has uses of its own)
  std::optional<int> needed_pods;  // elastic minimum of workers
  bool suspended = false;
  bool owns_pods = true;  // see Workload::owns_pods
  std::optional<kube::PodSpec> worker_spec;
  std::optional<kube::PodSpec> extra_spec;
  bool automatic_segments = true;        // automatic preferred level applies (never for LWS)
  bool size_on_root = false;             // segment-size is also read from the root (LWS)
  std::optional<Error> not_segmentable;  // why a segment size is refused whatever it is (another framework)
  std::vector<Error> causes;
};

// Stateless; thread safe.
class Kind {
 public:
  virtual ~Kind() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;       // PyTorchJob
  [[nodiscard]] virtual std::string_view api_group() const = 0;  // kubeflow.org
  [[nodiscard]] virtual Manifest read(const json::Document& object,
                                      const config::WorkloadConfig& config) const = 0;
  // The same from one pod of such a workload, as far as the pod tells: counts and rules of its group. Where R
  // is only a lower bound, pods_known is false. Keys and spec are filled in by the caller.
  [[nodiscard]] virtual Manifest read_pod(const json::Document& pod, const Member& member) const = 0;
  // A pod's place in a workload of this kind; none when it is not one. `labels`, `annotations` may be
  // partial.
  [[nodiscard]] virtual std::optional<Member> member(const kube::Pod& pod) const = 0;
};

// Every registered kind, in a fixed order.
[[nodiscard]] std::span<const std::unique_ptr<const Kind>> kinds();
[[nodiscard]] const Kind* find_kind(std::string_view api_group, std::string_view kind);

}  // namespace toposeg::workload
