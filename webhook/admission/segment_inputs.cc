#include "webhook/admission/segment_inputs.h"

#include <tuple>

namespace toposeg::webhook {
namespace {

auto asked(const workload::Workload& w) {
  return std::tie(w.groups, w.segments, w.needed_segments, w.extra, w.masters, w.topology, w.segment, w.whole,
                  w.mode, w.inject_env);
}

}  // namespace

bool inputs_changed(const workload::Normalised& before, const workload::Normalised& after) {
  if (before.causes != after.causes || before.additions != after.additions) return true;
  const bool resumed = before.workload.suspended && !after.workload.suspended;
  return resumed || before.relevant != after.relevant || asked(before.workload) != asked(after.workload);
}

}  // namespace toposeg::webhook
