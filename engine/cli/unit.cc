#include "engine/cli/unit.h"

namespace toposeg::cli {
namespace {

constexpr std::int64_t kMilli = 1000;

}  // namespace

Unit unit_of(const kube::PodSpec& whole_host) {
  Unit unit;
  if (whole_host.requests.empty()) return unit;
  unit.resource = whole_host.requests.front().first;
  unit.amount = unit.resource == "cpu" ? kMilli : 1;
  unit.shape.requests = {{unit.resource, unit.amount}};
  unit.shape.tolerations = whole_host.tolerations;
  return unit;
}

std::int64_t offered(const kube::Node& node, const Unit& unit) {
  const std::int64_t* amount = kube::find(node.allocatable, unit.resource);
  return amount == nullptr ? 0 : *amount / unit.amount;
}

}  // namespace toposeg::cli
