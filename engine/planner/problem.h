// What the planner is asked and what it answers. All in vertices and counts of one capacity view; levels are
// indices of the tree (0 = broadest). kAnywhere stands for "above the top level".
#pragma once

#include <cstdint>
#include <vector>

#include "engine/topology/tree.h"

namespace toposeg::engine {

inline constexpr int kAnywhere = -1;

// One replica group: `full` segments of `size` pods each, optionally a first segment of another make-up, a
// partial last one, and one extra pod of another shape. Pods of workloads that are not segmented are full
// segments of size 1 with both segment levels kAnywhere.
struct Problem {
  int size = 1;     // >= 1
  int full = 0;     // segments of exactly `size` worker pods
  int partial = 0;  // worker pods of the partial last segment, 0 = there is none, < size
  int first = 0;    // worker pods of a special first segment, 0 = there is none; may be size - 1 or size + 1
  bool extra_in_first = false;  // the extra pod joins the first segment: both in one domain (then first > 0)
  bool extra_apart = false;     // the extra pod stands anywhere in the workload's domain

  int segment_required = kAnywhere;   // Q: every segment inside one domain of this level or closer
  int segment_preferred = kAnywhere;  // P: the level to reach; kAnywhere = none, then Q is the level to reach
  int whole_required = kAnywhere;     // everything inside one domain of this level
  int needed = 0;                     // needed segments (the first ones); the others are optional

  Vertex within = kRoot;       // only below this domain (stickiness)
  std::vector<Vertex> in_use;  // domains (with their ancestors, down to nodes) that the group already uses

  [[nodiscard]] int segments() const { return full + (partial > 0 ? 1 : 0) + (first > 0 ? 1 : 0); }
};

// One segment of the answer. `hosts` holds a leaf for each worker pod in depth-first order.
struct SegmentPlace {
  enum class Kind : std::uint8_t { kFirst, kFull, kPartial };
  Kind kind = Kind::kFull;
  Vertex domain = kRoot;  // lowest vertex at or above the level to reach that holds all its pods; root = free
  int climbed = 0;        // levels above the level to reach
  std::uint32_t hosts_begin = 0;  // into Solution::hosts
  std::uint32_t hosts_end = 0;
};

// Lexicographic, smaller is better; the layout is the objective of the placement design, section 3.
struct Cost {
  std::int64_t climbed = 0;
  std::vector<std::int64_t> domains;   // index: level, 0..levels() (nodes last)
  std::vector<std::int64_t> leftover;  // same index; compared nodes first, then upwards
  friend bool operator==(const Cost&, const Cost&) = default;
};

struct Solution {
  int needed_placed = 0;
  int optional_placed = 0;
  bool extra_placed = false;
  bool proven = true;
  Vertex whole = kRoot;  // domain of whole_required that was chosen; root when none was asked
  std::vector<SegmentPlace>
      segments;               // first, full ones in depth-first order, partial last; placed ones only
  std::vector<Vertex> hosts;  // leaves
  Vertex extra_host = kRoot;  // leaf of the extra pod; kRoot when not placed
  Cost cost;
};

}  // namespace toposeg::engine
