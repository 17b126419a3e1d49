// Mixed problems for the joint planner: 5,184 nodes of three kinds, partly filled, and one run of 64 segments
// that asks for three resources in four shapes. Everything follows from a seed.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/capacity/books.h"
#include "engine/joint/problem.h"
#include "engine/topology/tree.h"

namespace toposeg::bench {

struct MixedCluster {
  engine::Books books;
  kube::Topology topology;
  std::shared_ptr<const engine::Tree> tree;
};

// 288 racks of 18 nodes, 8 racks a block, 9 blocks a zone. A rack has nodes of one kind: 8 GPUs, 4 GPUs, or
// none and many cores. About a third of the racks is empty; in the others nodes are free, partly or wholly
// taken.
[[nodiscard]] std::unique_ptr<MixedCluster> make_mixed_cluster(std::uint64_t seed);

// Roles: trainers, samplers, judges and environments, 16 segments of each, every role a group for itself.
// Replicas: 16 groups, each of two segments of trainers, one of samplers and one of environments, the first
// with a judge before it.
// Sets: what a LeaderWorkerSet asks. 16 groups of 4 segments of one shape, a leader of another shape in the
// first one, the last one perhaps partial; segments require the rack or prefer it, groups require or prefer a
// block or a zone, or neither.
enum class Run : std::uint8_t { kRoles, kReplicas, kSets };
[[nodiscard]] engine::JointProblem make_mixed_run(Run run, std::uint64_t seed);

}  // namespace toposeg::bench
