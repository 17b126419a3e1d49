// What a framer keeps of an event that has not ended.
#pragma once

#include <cstddef>
#include <string>

namespace toposeg::webhook::kube_api {

// Empties it; one large event must not hold its size for ever.
inline void clear_pending(std::string& pending) {
  constexpr std::size_t kKept = std::size_t{256} << 10U;
  pending.clear();
  if (pending.capacity() > kKept) pending.shrink_to_fit();
}

}  // namespace toposeg::webhook::kube_api
