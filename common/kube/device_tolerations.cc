#include "common/kube/device_tolerations.h"

#include <algorithm>
#include <string_view>

namespace toposeg::kube {

namespace {

bool is_device(std::string_view resource) {
  return resource.find('/') != std::string_view::npos &&
         resource.find("kubernetes.io/") == std::string_view::npos;
}

}  // namespace

void add_device_tolerations(PodSpec& pod) {
  for (const auto& [resource, amount] : pod.requests) {
    if (!is_device(resource)) continue;
    Toleration toleration{resource, "", true, TaintEffect::kNoSchedule};
    const bool there =
        std::find(pod.tolerations.begin(), pod.tolerations.end(), toleration) != pod.tolerations.end();
    if (!there) pod.tolerations.push_back(std::move(toleration));
  }
}

}  // namespace toposeg::kube
