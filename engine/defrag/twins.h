// Domains that are as good as one another to put a segment into, so that one of them is enough to try.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "engine/defrag/problem.h"

namespace toposeg::engine::defrag {

class Twins {
 public:
  // O(hosts * resources, sorted). Keeps a reference to the problem.
  explicit Twins(const Problem& problem);

  // Kinds of domains met so far in one round of targets.
  using Seen = std::set<std::pair<Vertex, std::uint32_t>>;

  // True when a twin of `to` was asked about before with the same `seen`: both lie in domains of the
  // coarsest level that matters which hold no segment that may move, were not touched by the moves so far and
  // have equal hosts in equal domains, and no segment may enter the one and not the other.
  [[nodiscard]] bool repeats(Vertex to, std::span<const Move> moves, Seen& seen) const;

 private:
  const Problem& problem_;
  int level_;                        // coarsest of the slots' level and those that segments keep
  int fence_;                        // closest level of the domains that segments must not leave
  std::vector<std::uint32_t> kind_;  // by vertex: equal for equal domains, 0 = unlike every other
};

}  // namespace toposeg::engine::defrag
