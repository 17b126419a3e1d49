// What is counted on the hosts of a topology.
#pragma once

#include <cstdint>
#include <string>

#include "common/kube/records.h"

namespace toposeg::cli {

// One unit of what matters on these hosts: a device where there are any, else one cpu, else one pod.
struct Unit {
  std::string resource = "pods";
  std::int64_t amount = 1;  // of the resource
  kube::PodSpec shape;      // a pod that asks for one
};

[[nodiscard]] Unit unit_of(const kube::PodSpec& whole_host);

// Units that a node has in all.
[[nodiscard]] std::int64_t offered(const kube::Node& node, const Unit& unit);

}  // namespace toposeg::cli
