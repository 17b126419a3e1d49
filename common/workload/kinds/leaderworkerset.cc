// leaderworkerset.x-k8s.io LeaderWorkerSet: groups of one leader and size - 1 workers.
#include <fmt/format.h>

#include "common/base/text.h"
#include "common/base/whole_number.h"
#include "common/workload/kinds/adapters.h"
#include "common/workload/kinds/fields.h"

namespace toposeg::workload {

namespace {

constexpr std::string_view kName = "leaderworkerset.sigs.k8s.io/name";
constexpr std::string_view kGroupIndex = "leaderworkerset.sigs.k8s.io/group-index";
constexpr std::string_view kWorkerIndex = "leaderworkerset.sigs.k8s.io/worker-index";
// Annotations that its controller writes on every pod.
constexpr const char* kGroupSize = "leaderworkerset.sigs.k8s.io/size";
constexpr const char* kSubGroupSize = "leaderworkerset.sigs.k8s.io/subgroup-size";
constexpr const char* kSubGroupType = "leaderworkerset.sigs.k8s.io/subgroup-policy-type";

class LeaderWorkerSet final : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "LeaderWorkerSet"; }
  [[nodiscard]] std::string_view api_group() const override { return "leaderworkerset.x-k8s.io"; }
  [[nodiscard]] Manifest read(const json::Document& object,
                              const config::WorkloadConfig& config) const override;
  [[nodiscard]] Manifest read_pod(const json::Document& pod, const Member& member) const override;
  [[nodiscard]] std::optional<Member> member(const kube::Pod& pod) const override;
};

const json::Path& inner() {
  static const json::Path path{"spec", "leaderWorkerTemplate"};
  return path;
}

// subGroupPolicyType, absent = LeaderWorker.
bool reads_excluded(const json::Document& object, std::vector<Error>& causes) {
  const json::Path path = below(inner(), {"subGroupPolicy", "subGroupPolicyType"});
  const auto type = read_text(object, path, causes);
  if (!type || type->empty() || *type == "LeaderWorker") return false;
  if (*type == "LeaderExcluded") return true;
  causes.push_back({Code::kInvalid,
                    fmt::format("{} is neither LeaderWorker nor LeaderExcluded", quote(*type)),
                    json::to_field(path)});
  return false;
}

void read_leader(const json::Document& object, Manifest& manifest) {
  manifest.extra = manifest.leader_excluded ? ExtraRole::kLeaderApart : ExtraRole::kLeaderInFirst;
  const json::Path pod = below(inner(), {"leaderTemplate"});
  const json::Document* found = json::at(object, pod);
  if (found == nullptr || found->is_null()) return;  // then leaders are made from the worker template
  manifest.extra_spec = read_template(object, pod, manifest.causes);
  manifest.other.push_back({below(pod, {"metadata", "annotations"}), false, "leaderTemplate"});
  manifest.templates.push_back({below(pod, {"metadata", "labels"}), Role::kLeader, false});
}

Manifest LeaderWorkerSet::read(const json::Document& object, const config::WorkloadConfig& /*config*/) const {
  Manifest manifest;
  manifest.identity = read_identity(object, api_group(), name());
  manifest.root = {{"metadata", "annotations"}, false, "metadata.annotations"};
  const json::Path pod = below(inner(), {"workerTemplate"});
  manifest.worker = {below(pod, {"metadata", "annotations"}), false, "workerTemplate"};
  manifest.groups = read_count(object, {"spec", "replicas"}, manifest.causes).value_or(1);
  const std::size_t faults = manifest.causes.size();
  manifest.pods = read_count(object, below(inner(), {"size"}), manifest.causes).value_or(1);
  manifest.pods_known = manifest.causes.size() == faults;
  manifest.pods_text =
      fmt::format("the {} pod{} of a replica group", manifest.pods, manifest.pods == 1 ? "" : "s");
  manifest.has_leader = true;
  manifest.leader_excluded = reads_excluded(object, manifest.causes);
  manifest.native_size_path = below(inner(), {"subGroupPolicy", "subGroupSize"});
  const json::Document* size = json::at(object, manifest.native_size_path);
  if (size != nullptr && !size->is_null()) manifest.native_size = *size;
  manifest.worker_spec = read_template(object, pod, manifest.causes);
  manifest.templates.push_back({below(pod, {"metadata", "labels"}), Role::kWorker, false});
  read_leader(object, manifest);
  manifest.automatic_segments = false;
  manifest.size_on_root = true;
  return manifest;
}

Manifest LeaderWorkerSet::read_pod(const json::Document& pod, const Member& member) const {
  const auto annotation = [&pod](const char* key) {
    return json::text(json::at(pod, {"metadata", "annotations", key}));
  };
  const std::string* type = annotation(kSubGroupType);
  const std::string* size = annotation(kGroupSize);
  const std::optional<int> pods = size == nullptr ? std::nullopt : whole_number<int>(*size);
  Manifest manifest;
  manifest.has_leader = true;
  manifest.leader_excluded = type != nullptr && *type == "LeaderExcluded";
  manifest.extra = manifest.leader_excluded ? ExtraRole::kLeaderApart : ExtraRole::kLeaderInFirst;
  manifest.pods_known = pods.has_value();
  manifest.pods = pods.value_or(member.index + 1);
  manifest.pods_text = fmt::format("the {} pods of a replica group", manifest.pods);
  manifest.groups = member.group + 1;
  if (const std::string* native = annotation(kSubGroupSize)) {
    manifest.native_size = *native;
    manifest.native_size_path = {"metadata", "annotations", kSubGroupSize};
  }
  return manifest;
}

// The numbers of a pod name `<set>-<group>[-<worker>]`.
struct Ordinals {
  std::optional<int> group;
  std::optional<int> worker;
};

Ordinals ordinals_of(std::string_view pod, std::string_view set) {
  if (!pod.starts_with(set) || pod.size() <= set.size() + 1 || pod[set.size()] != '-') return {};
  const std::string_view rest = pod.substr(set.size() + 1);
  const std::size_t dash = rest.find('-');
  if (dash == std::string_view::npos) return {whole_number<int>(rest), 0};
  return {whole_number<int>(rest.substr(0, dash)), whole_number<int>(rest.substr(dash + 1))};
}

std::optional<int> label_number(const kube::Pod& pod, std::string_view key) {
  const std::string* text = kube::find(pod.labels, key);
  return text == nullptr ? std::nullopt : whole_number<int>(*text);
}

std::optional<Member> LeaderWorkerSet::member(const kube::Pod& pod) const {
  const std::string* set = kube::find(pod.labels, kName);
  if (set == nullptr || set->empty()) return std::nullopt;
  const Ordinals named = ordinals_of(pod.name, *set);
  std::optional<int> group = label_number(pod, kGroupIndex);
  std::optional<int> index = label_number(pod, kWorkerIndex);
  if (!group) group = named.group;
  if (!index) index = named.worker;
  if (!group || !index) return std::nullopt;
  Member member;
  member.workload = {std::string(api_group()), std::string(name()), pod.namespace_, *set, {}};
  member.group = *group;
  member.role = *index == 0 ? Role::kLeader : Role::kWorker;
  member.index = *index;
  return member;
}

}  // namespace

std::unique_ptr<const Kind> make_leaderworkerset() { return std::make_unique<LeaderWorkerSet>(); }

}  // namespace toposeg::workload
