// Which hosts of a domain a segment takes. One rule, so that only domains have to be searched:
//
// 1. room that no probe could use: hosts that take none, and what is left over beside those they take; the
//    tightest hosts first;
// 2. the remainders of the domains of the slots' level, which make no whole slot, the largest first;
// 3. whole slots, domain by domain, each used up before the next is begun.
//
// Where each pod costs its host exactly one probe or nothing, or the domain lies inside one domain of the
// slots' level and all hosts are alike to both shapes, no other choice keeps more slots.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/defrag/field.h"

namespace toposeg::engine::defrag {

// Puts `pods` pods down inside `v` and returns their hosts, ascending. Empty when there is no room, and
// nothing is changed then. O(hosts under v, sorted, times resources).
[[nodiscard]] std::vector<Leaf> settle(Field& field, const Shape& shape, std::size_t pods, Vertex v);

}  // namespace toposeg::engine::defrag
