// The segments that advice may move: whole ones with their decision written on their pods.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "common/kube/records.h"
#include "common/workload/workload.h"
#include "engine/capacity/books.h"
#include "engine/ledger/ledger.h"
#include "engine/placement/defrag_advice.h"
#include "engine/topology/tree.h"

namespace toposeg::engine {

struct MovableSegment {
  Owner owner;
  int group = 0;
  int segment = 0;
  std::vector<int> pods;       // indices
  std::vector<Vertex> leaves;  // of the pods, in their order
  kube::PodSpec shape;         // of each pod
  Vertex closest = kRoot;      // domain that holds them
  // What it keeps wherever it goes. Of a known workload: the level that it requires, or prefers and has, and
  // the domain that the whole workload requires, or prefers and has. Else what segment and workload have.
  int level = -1;
  Vertex within = kRoot;
  bool known = false;
};

struct Movables {
  std::vector<MovableSegment> segments;  // by owner, group, segment
  FixedSegments fixed;
};

// Those of the tree's topology. `known`: what is known of a workload, or null. Of pods of an unknown one only
// requests are known, and that they tolerate the taints of the hosts they run on.
[[nodiscard]] Movables movable_segments(const Ledger& ledger, const Books& books, const Tree& tree,
                                        const std::function<const workload::Workload*(const Owner&)>& known);

}  // namespace toposeg::engine
