// Pods of a workload, and how one stands.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "common/kube/records.h"
#include "common/workload/workload.h"
#include "engine/cli/workload_status.h"

namespace toposeg::cli {

// True when pod `index` of a group is its leader.
[[nodiscard]] bool leads(const workload::Workload& workload, int index);

// The pods of the workloads, one for each member: where a pod was made again, the newest one that lives.
[[nodiscard]] std::vector<std::pair<workload::Member, const kube::Pod*>> members_among(
    const std::vector<kube::Pod>& pods, std::span<const workload::Identity> makers);

[[nodiscard]] PodStatus status_of(const kube::Pod& pod, const workload::Member& member);

}  // namespace toposeg::cli
