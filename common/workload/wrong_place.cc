#include "common/workload/wrong_place.h"

#include <fmt/format.h>

#include "common/workload/annotation.h"
#include "common/workload/keys.h"

namespace toposeg::workload {

namespace {

struct Check {
  const json::Document& object;
  Findings& findings;

  void key(const AnnotationMap& map, std::string_view key, const AnnotationMap& right) const {
    if (!has_annotation(object, map, key)) return;
    findings.warn(fmt::format("{} has no effect in {}; write it in {}", key, map.place, right.place));
  }
};

}  // namespace

void warn_of_wrong_places(const json::Document& object, const Manifest& manifest, Findings& findings) {
  const Check check{object, findings};
  for (const std::string_view key : keys::kSegmentKeys) {
    if (key == keys::kSegmentSize && manifest.size_on_root) continue;
    check.key(manifest.root, key, manifest.worker);
  }
  if (!manifest.worker_is_root) {
    for (const std::string_view key : keys::kWholeKeys) check.key(manifest.worker, key, manifest.root);
    for (const std::string_view key : {keys::kAutomatic, keys::kPreferredMode}) {
      check.key(manifest.worker, key, manifest.root);
    }
  }
  for (const AnnotationMap& map : manifest.other) {
    check.key(map, keys::kTopology, manifest.worker);
    for (const std::string_view key : keys::kSegmentKeys) check.key(map, key, manifest.worker);
    for (const std::string_view key : keys::kWholeKeys) check.key(map, key, manifest.root);
  }
}

}  // namespace toposeg::workload
