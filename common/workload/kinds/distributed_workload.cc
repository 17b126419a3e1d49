// run.ai DistributedWorkload: each scalar is wrapped as {value: X}, each map as {items: {key: {value: X}}}.
// Its pods are those of the PyTorchJob that is made from it.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "common/base/text.h"
#include "common/base/whole_number.h"
#include "common/kube/quantity.h"
#include "common/workload/kinds/adapters.h"
#include "common/workload/kinds/fields.h"

namespace toposeg::workload {

namespace {

class DistributedWorkload final : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "DistributedWorkload"; }
  [[nodiscard]] std::string_view api_group() const override { return "run.ai"; }
  [[nodiscard]] Manifest read(const json::Document& object,
                              const config::WorkloadConfig& config) const override;
  // Pods never belong to it directly.
  [[nodiscard]] Manifest read_pod(const json::Document& /*pod*/, const Member& /*member*/) const override {
    return {};
  }
  [[nodiscard]] std::optional<Member> member(const kube::Pod& /*pod*/) const override { return std::nullopt; }
};

bool is_pytorch(std::string_view framework) {
  constexpr std::string_view kPyTorch = "pytorch";
  return std::equal(framework.begin(), framework.end(), kPyTorch.begin(), kPyTorch.end(),
                    [](unsigned char a, char b) { return std::tolower(a) == b; });
}

// Why this workload cannot be cut, if it is of another framework.
std::optional<Error> other_framework(const json::Document& object, std::vector<Error>& causes) {
  for (const char* field : {"distributedFramework", "jobType"}) {
    const json::Path path{"spec", field, "value"};
    const auto framework = read_text(object, path, causes);
    if (!framework || framework->empty() || is_pytorch(*framework)) continue;
    return Error{
        Code::kInvalid,
        fmt::format("{} workloads cannot be cut into segments, only PyTorch ones: remove the segment size",
                    quote(*framework)),
        json::to_field(path)};
  }
  return std::nullopt;
}

json::Path split(std::string_view dotted) {
  json::Path path;
  for (std::size_t begin = 0; begin <= dotted.size();) {
    const std::size_t end = std::min(dotted.find('.', begin), dotted.size());
    path.emplace_back(dotted.substr(begin, end - begin));
    begin = end + 1;
  }
  return path;
}

void read_native_size(const json::Document& object, const config::WorkloadConfig& config,
                      Manifest& manifest) {
  for (const std::string& dotted : config.native_size_paths) {
    const json::Path path = split(dotted);
    const json::Document* size = json::at(object, path);
    if (size == nullptr || size->is_null()) continue;
    manifest.native_size = *size;
    manifest.native_size_path = path;
    return;
  }
}

// The resources of a worker, as far as the manifest tells them. A share of a GPU is no amount that nodes
// offer, so it is left out.
kube::PodSpec worker_shape(const json::Document& object) {
  constexpr std::pair<const char*, const char*> kFields[] = {
      {"cpu", "cpu"}, {"memory", "memory"}, {"gpu", "nvidia.com/gpu"}};
  kube::PodSpec shape;
  for (const auto& [field, resource] : kFields) {
    const json::Document* value = json::at(object, {"spec", field, "value"});
    if (value == nullptr || (!value->is_string() && !value->is_number())) continue;
    const std::string text = value->is_string() ? value->get<std::string>() : value->dump();
    const bool share = std::string_view(field) == "gpu" && !whole_number<int>(text);
    const auto amount = kube::parse_amount(resource, text);
    if (amount && !share) kube::put(shape.requests, resource, *amount);
  }
  return shape;
}

Manifest DistributedWorkload::read(const json::Document& object, const config::WorkloadConfig& config) const {
  Manifest manifest;
  manifest.identity = read_identity(object, api_group(), name());
  manifest.owns_pods = false;
  manifest.root = {{"metadata", "annotations"}, false, "metadata.annotations"};
  manifest.worker = {{"spec", "annotations", "items"}, true, "spec.annotations"};
  manifest.worker_is_root = true;
  manifest.pods = read_count(object, {"spec", "workers", "value"}, manifest.causes).value_or(1);
  manifest.pods_known = manifest.causes.empty();
  manifest.pods_text = fmt::format("the {} worker{}", manifest.pods, manifest.pods == 1 ? "" : "s");
  read_native_size(object, config, manifest);
  manifest.native_size_is_ours = true;
  manifest.not_segmentable = other_framework(object, manifest.causes);
  manifest.worker_spec = worker_shape(object);
  manifest.templates.push_back({{"spec", "labels", "items"}, Role::kWorker, true});
  return manifest;
}

}  // namespace

std::unique_ptr<const Kind> make_distributed_workload() { return std::make_unique<DistributedWorkload>(); }

}  // namespace toposeg::workload
