#include "common/workload/additions.h"

#include <fmt/format.h>

#include "common/workload/keys.h"

namespace toposeg::workload {

namespace {

class Writer {
 public:
  explicit Writer(const json::Document& object) : object_(object) {}

  void add(const AnnotationMap& map, std::string_view key, const std::string& value) {
    if (!has_annotation(object_, map, key)) additions_.push_back({path_of(map, key), value});
  }

  [[nodiscard]] std::vector<Addition> take() { return std::move(additions_); }

 private:
  const json::Document& object_;
  std::vector<Addition> additions_;
};

// Whether pods of this template are anything to the pods hook.
bool needs_hook(const Workload& workload, Role role) {
  const bool whole = !workload.topology.empty() && workload.whole.any();
  switch (role) {
    case Role::kWorker:
      return true;
    case Role::kLeader:
      return whole || (workload.extra == ExtraRole::kLeaderInFirst && workload.segments.size > 0);
    case Role::kMaster:
      return whole;
  }
  return false;
}

}  // namespace

std::vector<Addition> additions_for(const json::Document& object, const Manifest& manifest,
                                    const Workload& workload, const Automatic& automatic) {
  if (!workload.constrained() && workload.segments.size == 0) return {};
  Writer writer(object);
  if (automatic.whole_preferred) writer.add(manifest.root, keys::kWholePreferred, *workload.whole.preferred);
  if (!workload.topology.empty()) writer.add(manifest.worker, keys::kTopology, workload.topology);
  if (workload.segments.size > 0) {
    writer.add(manifest.worker, keys::kSegmentSize, fmt::to_string(workload.segments.size));
  }
  if (automatic.segment_preferred)
    writer.add(manifest.worker, keys::kSegmentPreferred, *workload.segment.preferred);
  for (const Template& pod : manifest.templates) {
    if (needs_hook(workload, pod.role)) writer.add({pod.labels, pod.wrapped, {}}, keys::kManaged, "true");
  }
  return writer.take();
}

}  // namespace toposeg::workload
