#include "common/workload/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/base/text.h"
#include "common/workload/keys.h"

namespace toposeg::workload {

namespace {

bool holds_key(const json::Document& object, const AnnotationMap& map) {
  constexpr std::array kOwnOptions = {keys::kAutomatic, keys::kPreferredMode, keys::kInjectEnv};
  const auto present = [&](std::string_view key) { return has_annotation(object, map, key); };
  return std::any_of(keys::kUserKeys.begin(), keys::kUserKeys.end(), present) ||
         std::any_of(kOwnOptions.begin(), kOwnOptions.end(), present);
}

// The annotation of the worker template, else of the root; at the root it does not reach the pods by itself.
std::optional<Written> read_size(const json::Document& object, const Manifest& manifest, Findings& findings) {
  auto own = read_annotation(object, manifest.worker, keys::kSegmentSize, findings);
  if (!manifest.size_on_root) return own;
  auto root = read_annotation(object, manifest.root, keys::kSegmentSize, findings);
  if (own && root && own->value != root->value) {
    findings.warn(fmt::format("segment-size {} in {} wins over {} in {}", quote(own->value, 12),
                              manifest.worker.place, quote(root->value, 12), manifest.root.place));
  } else if (!own && root) {
    findings.warn(fmt::format("{} is taken from {}; its place is in {}", keys::kSegmentSize,
                              manifest.root.place, manifest.worker.place));
  }
  return own ? own : root;
}

}  // namespace

Inputs read_inputs(const json::Document& object, const Manifest& manifest, Findings& findings) {
  for (const AnnotationMap* map : {&manifest.root, &manifest.worker}) {
    const json::Document* found = map->path.empty() ? nullptr : json::at(object, map->path);
    if (found != nullptr && !found->is_null() && !found->is_object()) {
      findings.refuse(json::to_field(map->path),
                      fmt::format("annotations are a map, and this is {}", describe(*found)));
    }
  }
  const auto read = [&](const AnnotationMap& map, std::string_view key) {
    return read_annotation(object, map, key, findings);
  };
  const auto whole = [&](std::string_view key) {
    auto value = read(manifest.root, key);
    return value || !manifest.worker_is_root ? value : read(manifest.worker, key);
  };
  Inputs inputs;
  inputs.any_key = holds_key(object, manifest.root) || holds_key(object, manifest.worker);
  auto inherited = read(manifest.root, keys::kTopology);
  inputs.topology = read(manifest.worker, keys::kTopology);
  if (!inputs.topology) inputs.topology = std::move(inherited);
  inputs.whole_required = whole(keys::kWholeRequired);
  inputs.whole_preferred = whole(keys::kWholePreferred);
  inputs.size = read_size(object, manifest, findings);
  inputs.segment_required = read(manifest.worker, keys::kSegmentRequired);
  inputs.segment_preferred = read(manifest.worker, keys::kSegmentPreferred);
  return inputs;
}

}  // namespace toposeg::workload
