// A question about pods of several shapes at once: segments of several groups, segments partly in place, pods
// that stand apart. All of them are to be placed together, as well as they can be together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/kube/records.h"
#include "engine/planner/problem.h"
#include "engine/topology/tree.h"

namespace toposeg::engine {

struct JointPart {
  int shape = 0;  // into JointProblem::shapes
  int pods = 0;   // >= 1
  friend bool operator==(const JointPart&, const JointPart&) = default;
};

// Pods that are placed together or not at all: a segment, what is missing of one, or one pod apart.
struct JointItem {
  // How much it counts for: all needed ones come before any optional one, those before the pods apart.
  enum class Rank : std::uint8_t { kNeeded, kOptional, kApart };

  int group = 0;
  std::vector<JointPart> parts;  // shapes differ; a lone leader before its workers
  int required = kAnywhere;      // all its pods inside one domain of this level or closer
  int goal = kAnywhere;          // the level to reach, >= required
  Vertex within = kRoot;         // only below this domain
  Vertex home = kRoot;           // pods of it live here already, so what it spans holds this domain too
  Rank rank = Rank::kNeeded;

  [[nodiscard]] int pods() const {
    int sum = 0;
    for (const JointPart& part : parts) sum += part.pods;
    return sum;
  }
  friend bool operator==(const JointItem&, const JointItem&) = default;
};

struct JointGroup {
  int whole_required = kAnywhere;   // all items of the group inside one domain of this level
  int whole_preferred = kAnywhere;  // the level that they should share
  Vertex within = kRoot;            // only below this domain: the one that the group lives in
  std::vector<Vertex> in_use;  // nodes that the group stands on; they and what is above them cost nothing
  int measure = 0;             // the shape in which room left over is counted: the workers'
  friend bool operator==(const JointGroup&, const JointGroup&) = default;
};

// Items of one group stand side by side, in the order of their segments, except that what completes a segment
// comes before all others. Of two answers that place equally many items, the one with the earlier items wins.
struct JointProblem {
  std::vector<kube::PodSpec> shapes;
  std::vector<JointGroup> groups;
  std::vector<JointItem> items;
};

// For each item the leaves of its pods, part after part, each part in path order; empty = not placed.
using JointPods = std::vector<std::vector<Vertex>>;

// Calls use(shape, leaves) for each part of the item that these leaves are of, in their order.
template <typename Use>
void each_part(const JointItem& item, std::span<const Vertex> leaves, const Use& use) {
  for (const JointPart& part : item.parts) {
    const std::size_t own = std::min(leaves.size(), static_cast<std::size_t>(part.pods));
    use(part.shape, leaves.first(own));
    leaves = leaves.subspan(own);
  }
}

}  // namespace toposeg::engine
