// How many slots a number of further moves can gain at most: as if lifting were free of where to put down.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/defrag/field.h"

namespace toposeg::engine::defrag {

class Bound {
 public:
  // O(pods of all segments). Keeps a reference to the problem.
  explicit Bound(const Field& field);

  // Steps that gain() takes, about.
  [[nodiscard]] std::int64_t cost(const Field& field, int moves) const;

  // For the field as it stands, with `moved` (by segment) out of play: never less than what `moves` more
  // moves gain over field.slots(). O(segments + domains * moves * most given back in one).
  [[nodiscard]] std::int64_t gain(const Field& field, const std::vector<bool>& moved, int moves) const;

  // The same for one move of this segment. O(its domains).
  [[nodiscard]] std::int64_t gain_alone(const Field& field, std::size_t segment) const;

 private:
  // The most that lifting a segment gives back to a domain, in probes, whatever was moved before.
  struct Release {
    std::size_t domain;
    std::int64_t probes;
  };

  std::int64_t size_;
  std::size_t widest_ = 1;                      // most domains that one segment gives back to
  std::vector<std::vector<Release>> releases_;  // by segment
};

}  // namespace toposeg::engine::defrag
