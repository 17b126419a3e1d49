// Where the pods of a group already are, and how a missing one joins them (placement design, section 6: while
// any pod of a segment lives, its later pods go to that segment's domain, or wait).
#pragma once

#include <optional>
#include <vector>

#include "engine/placement/scope.h"

namespace toposeg::engine {

// The domain that a segment's pods share.
struct Foothold {
  Vertex domain = kRoot;
  bool committed = false;  // some pod exists or was admitted; false: only planned, may still be planned anew
};

// None when no pod of the segment (none: of those outside all segments) has a place yet. Committed pods come
// first, then the order of seats. O(seats of the group).
[[nodiscard]] std::optional<Foothold> foothold(const Desk& desk, const Scope& scope,
                                               std::optional<int> segment);

// The domain of the workload-level required level that the group lives in; none when there is no such level,
// or nothing placed yet.
[[nodiscard]] std::optional<Vertex> whole_foothold(const Desk& desk, const Scope& scope);

// Vertices that the group uses, nodes and everything above them but the root; sorted, unique.
[[nodiscard]] std::vector<Vertex> vertices_in_use(const Desk& desk, const Scope& scope);

struct Nook {
  Vertex leaf = kRoot;
  Vertex domain = kRoot;  // the ancestor of the starting domain in which room was found
};

// Room for one pod of the seat in `from`, else in its ancestors one by one up to level `up_to`; nearest to
// what the group uses already. None when there is none.
[[nodiscard]] std::optional<Nook> find_nook(Desk& desk, const Scope& scope, const Seat& seat, Vertex from,
                                            int up_to);

// Whether the node can still take the pod on whose behalf the seat is reserved: it exists, passes the
// filters, is not overbooked and stands in the seat's domain; with room for what `claim` asks beyond the
// reservation.
[[nodiscard]] bool usable(const Desk& desk, const Scope& scope, const SeatEntry& entry,
                          const kube::PodSpec& pod, const Claim& claim);

}  // namespace toposeg::engine
