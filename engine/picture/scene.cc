#include "engine/picture/scene.h"

#include <cstddef>

namespace toposeg::picture {

std::size_t host_count(const Domain& domain) {
  std::size_t count = domain.hosts.size();
  for (const Domain& child : domain.children) count += host_count(child);
  return count;
}

std::size_t host_count(const Scene& scene) {
  std::size_t count = scene.outside.size();
  for (const Domain& domain : scene.domains) count += host_count(domain);
  return count;
}

}  // namespace toposeg::picture
