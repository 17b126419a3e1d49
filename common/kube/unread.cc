#include "common/kube/unread.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace toposeg::kube {

namespace {

// Sorted. Most of a pod's bytes and of a node's, and nothing that a record holds.
constexpr std::array<std::string_view, 52> kUnread = {"addresses",
                                                      "args",
                                                      "command",
                                                      "containerID",
                                                      "daemonEndpoints",
                                                      "dnsConfig",
                                                      "dnsPolicy",
                                                      "enableServiceLinks",
                                                      "env",
                                                      "envFrom",
                                                      "ephemeralContainerStatuses",
                                                      "ephemeralContainers",
                                                      "features",
                                                      "hostAliases",
                                                      "hostIPs",
                                                      "image",
                                                      "imageID",
                                                      "imagePullPolicy",
                                                      "imagePullSecrets",
                                                      "images",
                                                      "kubectl.kubernetes.io/last-applied-configuration",
                                                      "lastHeartbeatTime",
                                                      "lastProbeTime",
                                                      "lastState",
                                                      "lastTransitionTime",
                                                      "lifecycle",
                                                      "livenessProbe",
                                                      "managedFields",
                                                      "nodeInfo",
                                                      "podCIDR",
                                                      "podCIDRs",
                                                      "podIP",
                                                      "podIPs",
                                                      "preemptionPolicy",
                                                      "projected",
                                                      "providerID",
                                                      "qosClass",
                                                      "readinessProbe",
                                                      "restartCount",
                                                      "runtimeHandlers",
                                                      "securityContext",
                                                      "serviceAccount",
                                                      "serviceAccountName",
                                                      "startupProbe",
                                                      "state",
                                                      "terminationMessagePath",
                                                      "terminationMessagePolicy",
                                                      "tolerationSeconds",
                                                      "volumeDevices",
                                                      "volumeMounts",
                                                      "volumesAttached",
                                                      "volumesInUse"};
static_assert(std::is_sorted(kUnread.begin(), kUnread.end()));
static_assert(std::all_of(kUnread.begin(), kUnread.end(),
                          [](std::string_view name) { return name.size() < 64; }));

constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

// Sorted. Objects whose keys people choose.
constexpr std::array<std::string_view, 11> kFree = {
    "allocatable", "allocatedResources", "annotations", "capacity", "labels",   "limits",
    "matchLabels", "nodeSelector",       "overhead",    "requests", "resources"};
static_assert(std::is_sorted(kFree.begin(), kFree.end()));

// Of each first byte the lengths that names have, one bit each: most names are told apart by these two alone.
constexpr std::array<std::uint64_t, 256> lengths_by_first_byte() {
  std::array<std::uint64_t, 256> lengths{};
  for (const std::string_view name : kUnread) {
    lengths[static_cast<unsigned char>(name.front())] |= std::uint64_t{1} << name.size();
  }
  return lengths;
}
constexpr auto kLengths = lengths_by_first_byte();

bool may_be_unread(std::string_view key) {
  if (key.empty() || key.size() >= 64) return false;
  return (kLengths[static_cast<unsigned char>(key.front())] >> key.size() & 1U) != 0;
}

}  // namespace

bool is_unread(std::string_view key, bool free_keys) {
  if (free_keys) return key == kLastApplied;
  return may_be_unread(key) && std::binary_search(kUnread.begin(), kUnread.end(), key);
}

bool has_free_keys(std::string_view key) { return std::binary_search(kFree.begin(), kFree.end(), key); }

}  // namespace toposeg::kube
