// What the API server's admission plugin ExtendedResourceToleration adds to pods, where it is on.
#pragma once

#include "common/kube/records.h"

namespace toposeg::kube {

// A toleration of NoSchedule taints under the name of each device (vendor/name, but for Kubernetes' own
// names) that the pod asks for. One that is there already is not repeated.
void add_device_tolerations(PodSpec& pod);

}  // namespace toposeg::kube
