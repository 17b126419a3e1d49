#include "common/kube/device_tolerations.h"

#include "unit/catch.h"

namespace toposeg::kube {
namespace {

TEST_CASE("each device that a pod asks for is tolerated once, by name") {
  PodSpec pod;
  pod.requests = {
      {"cpu", 1000}, {"nvidia.com/gpu", 8}, {"rdma/hca", 1}, {"attachable-volumes.kubernetes.io/x", 1}};
  pod.tolerations = {{"pool", "a", false, std::nullopt}};
  add_device_tolerations(pod);
  const std::vector<Toleration> expected{{"pool", "a", false, std::nullopt},
                                         {"nvidia.com/gpu", "", true, TaintEffect::kNoSchedule},
                                         {"rdma/hca", "", true, TaintEffect::kNoSchedule}};
  CHECK(pod.tolerations == expected);
  add_device_tolerations(pod);
  CHECK(pod.tolerations == expected);
}

}  // namespace
}  // namespace toposeg::kube
