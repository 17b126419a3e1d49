// Pods that we never touch, and why.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/config/config.h"
#include "common/json/decode.h"

namespace toposeg::webhook {

enum class SkipReason : std::uint8_t {
  kNamespace,      // a system namespace, our own, or one that the configuration excludes
  kMirror,         // the kubelet's picture of a static pod
  kNodeName,       // already has its node
  kSchedulerName,  // belongs to another scheduler, which places segments by itself or not at all
  kKueue,          // Kueue assigns the topology
  kNotMember,      // no pod of a workload that we know
  kNoInputs,       // of such a workload, but nothing is asked for it
  kGone,           // of a workload that was deleted
};

[[nodiscard]] std::string_view name_of(SkipReason reason);

// The first reason, in the order above, that the pod alone shows (so never kNotMember, kNoInputs or kGone);
// none = go on.
[[nodiscard]] std::optional<SkipReason> reason_to_skip(const json::Document& pod,
                                                       const std::string& namespace_,
                                                       const config::PodConfig& config);

}  // namespace toposeg::webhook
