// What to ask about fragmentation, and what comes back: segments by name, domains by path.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/kube/records.h"

namespace toposeg::engine {

struct DefragQuestion {
  std::string topology;  // empty = the only one
  kube::PodSpec shape;   // of the pods for which slots are wanted
  int size = 1;          // pods in a slot, at least 1
  std::string level;     // of the slots: node label, alias or short name
  int moves = 1;         // the most segments to move, at least 1
};

struct SegmentMove {
  std::string namespace_;
  std::string kind;  // PyTorchJob
  std::string workload;
  int group = 0;
  int segment = 0;
  std::vector<std::string> from;   // closest domain that holds it now
  std::vector<std::string> to;     // domain that takes it, of the level it keeps
  std::vector<int> pods;           // indices
  std::vector<std::string> hosts;  // new ones, one a pod
  std::vector<std::string> old_hosts;
};

struct DefragOption {
  std::vector<SegmentMove> moves;  // in the order in which they can be done
  std::int64_t gained = 0;
  std::int64_t pods = 0;            // moved
  std::vector<std::int64_t> slots;  // afterwards, by level
};

// Why segments stay where they are: it is not known that they could move, or how.
struct FixedSegments {
  int incomplete = 0;  // some pod has no node yet
  int mixed = 0;       // pods of several shapes, or with host ports
  int outside = 0;     // some pod runs outside the topology
  [[nodiscard]] int total() const { return incomplete + mixed + outside; }
};

struct DefragAdvice {
  std::string topology;
  std::vector<std::string> levels;
  int level = 0;
  int size = 1;
  int moves = 1;
  std::vector<std::int64_t> slots;    // now, by level
  std::vector<DefragOption> options;  // fewest pods for a slot gained first
  int movable = 0;                    // segments that may move
  int unknown = 0;  // of them those of workloads that are not known: they keep what they have reached
  FixedSegments fixed;
  int proven_moves = 0;      // nothing beats the options with up to so many moves
  std::int64_t at_most = 0;  // slots that any `moves` moves can gain: a bound
};

}  // namespace toposeg::engine
