// Which few segments to move so that more slots of a size appear: the question and its answer, in numbers
// only.
//
// A slot is room for `size` pods of the probe in one domain of `level`; there are floor(capacity / size) in
// each. A move takes a whole segment off its hosts and puts it into one domain of the level that it keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "engine/topology/tree.h"

namespace toposeg::engine::defrag {

using Leaf = std::uint32_t;  // number of a host: its vertex less the first one of the last level

struct Shape {
  std::vector<std::int64_t> requests;  // one for each resource of the problem, >= 0
  std::vector<bool> allowed;           // by leaf: filters let the pod in; empty = everywhere
  std::int64_t most_on_host = std::numeric_limits<std::int32_t>::max();
};

// One that may move. All its pods have one shape.
struct Segment {
  std::size_t shape = 0;
  int level = -1;           // that it keeps: all its pods share a domain of it; -1 = none
  Vertex within = kRoot;    // domain that it must not leave, at or above that level
  std::vector<Leaf> hosts;  // of its pods, in their order
};

struct Problem {
  std::shared_ptr<const Tree> tree;
  std::vector<std::vector<std::int64_t>> free;  // by leaf, then resource; >= 0
  Shape probe;
  std::vector<Shape> shapes;
  std::vector<Segment> segments;
  int size = 1;   // pods in a slot, at least 1
  int level = 0;  // of the slots, a level of the tree
  int moves = 1;  // the most segments to move, at least 1
  // How much may be tried before the search gives up, in hosts looked at. The same work gives the same
  // answer on every machine.
  std::int64_t work = 100'000'000;
};

struct Move {
  std::size_t segment = 0;
  Vertex to = kRoot;
  std::vector<Leaf> hosts;  // new ones, in the order of the pods
};

// Moves in the order in which they can be done: each finds its room free when its turn comes.
struct Option {
  std::vector<Move> moves;
  std::int64_t gained = 0;  // slots more than before, > 0
  std::int64_t pods = 0;    // moved
};

struct Advice {
  std::int64_t slots = 0;       // now
  std::vector<Option> options;  // more slots from each to the next, each with the fewest pods (then moves)
  // Every way to move up to so many segments was tried or ruled out, so that nothing beats the options there
  // (hosts inside a domain are not tried but chosen: see settle.h).
  int proven_moves = 0;
  std::int64_t at_most = 0;  // slots that can be gained by any allowed number of moves: a bound
};

// Slots of a level after some moves.
[[nodiscard]] std::int64_t slots_after(Problem problem, int level, std::span<const Move> moves);

// Deterministic. Each segment moves at most once. Cost: bounded by Problem::work.
[[nodiscard]] Advice advise(const Problem& problem);

}  // namespace toposeg::engine::defrag
