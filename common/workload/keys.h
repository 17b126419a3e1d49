// The annotation, label and gate names of the product, in one place.
#pragma once

#include <array>
#include <string_view>

namespace toposeg::workload::keys {

// Read from users' manifests (seed page).
inline constexpr std::string_view kTopology = "kai.scheduler/topology";
inline constexpr std::string_view kSegmentSize = "kai.scheduler/segment-size";
inline constexpr std::string_view kSegmentRequired = "kai.scheduler/segment-topology-required-placement";
inline constexpr std::string_view kSegmentPreferred = "kai.scheduler/segment-topology-preferred-placement";
inline constexpr std::string_view kWholeRequired = "kai.scheduler/topology-required-placement";
inline constexpr std::string_view kWholePreferred = "kai.scheduler/topology-preferred-placement";

// The ones that cut into segments and constrain them belong to the worker template, the whole-level ones to
// the root.
inline constexpr std::array<std::string_view, 3> kSegmentKeys = {kSegmentSize, kSegmentRequired,
                                                                 kSegmentPreferred};
inline constexpr std::array<std::string_view, 2> kWholeKeys = {kWholeRequired, kWholePreferred};
inline constexpr std::array<std::string_view, 6> kUserKeys = {
    kTopology, kSegmentSize, kSegmentRequired, kSegmentPreferred, kWholeRequired, kWholePreferred};

// Ours.
inline constexpr std::string_view kAutomatic = "toposeg.io/automatic";  // root annotation, "true" | "false"
inline constexpr std::string_view kPreferredMode = "toposeg.io/preferred-mode";  // anchored | soft | pinned
inline constexpr std::string_view kInjectEnv = "toposeg.io/inject-env";          // "true"
inline constexpr std::string_view kManaged = "toposeg.io/managed";               // label on templates, "true"
inline constexpr std::string_view kPlan = "toposeg.io/plan";                     // root annotation
inline constexpr std::string_view kSegment = "toposeg.io/segment";               // pod annotation and label
inline constexpr std::string_view kDomain = "toposeg.io/domain";                 // pod annotation, JSON array
inline constexpr std::string_view kLevel = "toposeg.io/level";          // pod annotation, level label
inline constexpr std::string_view kHost = "toposeg.io/nominal-host";    // pod annotation
inline constexpr std::string_view kReason = "toposeg.io/reason";        // pod annotation: why it waits
inline constexpr std::string_view kWaitingGate = "toposeg.io/waiting";  // scheduling gate

}  // namespace toposeg::workload::keys
