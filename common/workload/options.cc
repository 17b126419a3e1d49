#include "common/workload/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/base/text.h"
#include "common/workload/annotation.h"
#include "common/workload/keys.h"

namespace toposeg::workload {

namespace {

constexpr std::array<std::string_view, 3> kModes = {"anchored", "soft", "pinned"};
constexpr std::array<std::string_view, 2> kSwitch = {"true", "false"};

std::optional<std::size_t> choice(const std::optional<Written>& written,
                                  std::span<const std::string_view> known, Findings& findings) {
  if (!written) return std::nullopt;
  const auto found = std::find(known.begin(), known.end(), written->value);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  findings.refuse(written->where, fmt::format("{} is none of {}{}", quote(written->value), join(known, ", "),
                                              did_you_mean(written->value, known)));
  return std::nullopt;
}

}  // namespace

void read_options(const json::Document& object, const Manifest& manifest, Workload& workload,
                  Findings& findings) {
  const auto read = [&](std::string_view key, bool on_template) {
    auto own = on_template ? read_annotation(object, manifest.worker, key, findings) : std::nullopt;
    return own ? own : read_annotation(object, manifest.root, key, findings);
  };
  const auto automatic = read(keys::kAutomatic, manifest.worker_is_root);
  static_cast<void>(choice(automatic, kSwitch, findings));  // its meaning is the managed rules' part
  const auto mode = choice(read(keys::kPreferredMode, manifest.worker_is_root), kModes, findings);
  if (mode)
    workload.mode = std::array{PreferredMode::kAnchored, PreferredMode::kSoft, PreferredMode::kPinned}[*mode];
  workload.inject_env = choice(read(keys::kInjectEnv, true), kSwitch, findings) == std::size_t{0};
}

}  // namespace toposeg::workload
