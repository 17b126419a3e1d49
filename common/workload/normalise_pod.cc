// A pod on its own: the keys of its annotations, and what its operator wrote beside them.
#include "common/workload/kinds/fields.h"
#include "common/workload/kinds/kind.h"
#include "common/workload/reading.h"

namespace toposeg::workload {

Normalised normalise_pod(const json::Document& pod, const Member& member, const NormaliseContext& context) {
  const Kind* kind = find_kind(member.workload.api_group, member.workload.kind);
  if (kind == nullptr) return {};
  Manifest manifest = kind->read_pod(pod, member);
  manifest.identity = member.workload;
  manifest.worker = {{"metadata", "annotations"}, false, "the pod"};
  manifest.worker_spec = read_template(pod, {}, manifest.causes);
  return read_meaning(pod, manifest, false, context, {manifest.causes, {}}).result;
}

}  // namespace toposeg::workload
