// kubeflow.org PyTorchJob: Master and Worker replica specs; only workers are cut into segments.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "common/base/text.h"
#include "common/base/whole_number.h"
#include "common/workload/kinds/adapters.h"
#include "common/workload/kinds/fields.h"

namespace toposeg::workload {

namespace {

constexpr std::string_view kJobName = "training.kubeflow.org/job-name";
constexpr std::string_view kReplicaType = "training.kubeflow.org/replica-type";
constexpr std::string_view kReplicaIndex = "training.kubeflow.org/replica-index";
constexpr std::string_view kOperatorName = "training.kubeflow.org/operator-name";
constexpr std::string_view kOperator = "pytorchjob-controller";

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// The key that a replica spec stands under. Operators before 1.8 took any letter case, later ones refuse it:
// then the spec is read where it is, and the spelling is the fault.
std::string spec_key(const json::Document& object, std::string_view type, std::vector<Error>& causes) {
  const json::Document* specs = json::at(object, {"spec", "pytorchReplicaSpecs"});
  if (specs == nullptr || !specs->is_object() || specs->contains(type)) return std::string(type);
  for (const auto& [key, value] : specs->items()) {
    if (lower(key) != lower(type)) continue;
    causes.push_back(
        {Code::kInvalid,
         fmt::format("replica types are spelled Master and Worker: write {} instead of {}", type, quote(key)),
         json::to_field({"spec", "pytorchReplicaSpecs", key})});
    return key;
  }
  return std::string(type);
}

// Workers that must run for the job to run, of an elastic job.
std::optional<int> needed_workers(const json::Document& object, int masters, std::vector<Error>& causes) {
  auto least = read_count(object, {"spec", "runPolicy", "schedulingPolicy", "minAvailable"}, causes);
  const auto replicas = read_count(object, {"spec", "elasticPolicy", "minReplicas"}, causes);
  if (!least) least = replicas;
  if (!least) return std::nullopt;
  return std::max(0, *least - masters);
}

class PyTorchJob final : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "PyTorchJob"; }
  [[nodiscard]] std::string_view api_group() const override { return "kubeflow.org"; }
  [[nodiscard]] Manifest read(const json::Document& object,
                              const config::WorkloadConfig& config) const override;
  [[nodiscard]] Manifest read_pod(const json::Document& pod, const Member& member) const override;
  [[nodiscard]] std::optional<Member> member(const kube::Pod& pod) const override;
};

// One of the replica specs: its count, absent = 1 where the spec itself is there.
int read_replicas(const json::Document& object, const json::Path& spec, std::vector<Error>& causes) {
  const json::Document* found = json::at(object, spec);
  if (found == nullptr || found->is_null()) return 0;
  return read_count(object, below(spec, {"replicas"}), causes).value_or(1);
}

void read_master(const json::Document& object, Manifest& manifest) {
  const json::Path spec{"spec", "pytorchReplicaSpecs", spec_key(object, "Master", manifest.causes)};
  manifest.masters = read_replicas(object, spec, manifest.causes);
  const json::Path pod = below(spec, {"template"});
  manifest.other.push_back({below(pod, {"metadata", "annotations"}), false, "the Master"});
  if (manifest.masters == 0) return;
  manifest.extra = ExtraRole::kMaster;
  manifest.extra_spec = read_template(object, pod, manifest.causes);
  manifest.templates.push_back({below(pod, {"metadata", "labels"}), Role::kMaster, false});
}

Manifest PyTorchJob::read(const json::Document& object, const config::WorkloadConfig& /*config*/) const {
  Manifest manifest;
  manifest.identity = read_identity(object, api_group(), name());
  manifest.root = {{"metadata", "annotations"}, false, "metadata.annotations"};
  const json::Path spec{"spec", "pytorchReplicaSpecs", spec_key(object, "Worker", manifest.causes)};
  const json::Path pod = below(spec, {"template"});
  manifest.worker = {below(pod, {"metadata", "annotations"}), false, "the Worker template"};
  const std::size_t faults = manifest.causes.size();
  manifest.pods = read_replicas(object, spec, manifest.causes);
  manifest.pods_known = manifest.causes.size() == faults;
  manifest.pods_text = fmt::format("the {} worker replica{}", manifest.pods, manifest.pods == 1 ? "" : "s");
  if (json::at(object, pod) != nullptr) {
    manifest.worker_spec = read_template(object, pod, manifest.causes);
    manifest.templates.push_back({below(pod, {"metadata", "labels"}), Role::kWorker, false});
  }
  read_master(object, manifest);
  manifest.needed_pods = needed_workers(object, manifest.masters, manifest.causes);
  manifest.suspended = read_flag(object, {"spec", "runPolicy", "suspend"});
  return manifest;
}

Manifest PyTorchJob::read_pod(const json::Document& /*pod*/, const Member& member) const {
  Manifest manifest;
  manifest.pods_known = false;
  if (member.role == Role::kMaster) {
    manifest.extra = ExtraRole::kMaster;
    manifest.masters = member.index + 1;
  } else {
    manifest.pods = member.index + 1;
  }
  return manifest;
}

const kube::OwnerReference* owner_of(const kube::Pod& pod, std::string_view kind) {
  const auto found = std::find_if(pod.owners.begin(), pod.owners.end(),
                                  [kind](const kube::OwnerReference& owner) { return owner.kind == kind; });
  return found == pod.owners.end() ? nullptr : &*found;
}

std::optional<Member> PyTorchJob::member(const kube::Pod& pod) const {
  const std::string* job = kube::find(pod.labels, kJobName);
  const std::string* type = kube::find(pod.labels, kReplicaType);
  const std::string* index_text = kube::find(pod.labels, kReplicaIndex);
  if (job == nullptr || type == nullptr || index_text == nullptr) return std::nullopt;
  // Pods of the operator's other kinds carry the same labels.
  const kube::OwnerReference* owner = owner_of(pod, name());
  const std::string* made_by = kube::find(pod.labels, kOperatorName);
  if (owner == nullptr && (made_by == nullptr || *made_by != kOperator || !pod.owners.empty()))
    return std::nullopt;
  const std::string role = lower(*type);
  const std::optional<int> index = whole_number<int>(*index_text);
  if (!index || (role != "worker" && role != "master")) return std::nullopt;
  Member member;
  member.workload = {std::string(api_group()), std::string(name()), pod.namespace_, *job,
                     owner == nullptr ? std::string() : owner->uid};
  member.role = role == "master" ? Role::kMaster : Role::kWorker;
  member.index = *index;
  return member;
}

}  // namespace

std::unique_ptr<const Kind> make_pytorchjob() { return std::make_unique<PyTorchJob>(); }

}  // namespace toposeg::workload
