#include "common/workload/segments.h"

#include <algorithm>

namespace toposeg::workload {

namespace {

// Index of a pod among those that are cut into equal pieces: with a leader beside them, they begin at pod 1.
int shift(SegmentRule rule) { return rule == SegmentRule::kPlain ? 0 : 1; }

}  // namespace

int Segments::count() const {
  if (size <= 0 || pods <= 0) return 0;
  const int cut = pods - shift(rule);
  return cut / size + (cut % size == 0 ? 0 : 1);
}

std::optional<int> Segments::of(int index) const {
  if (size <= 0 || index < 0) return std::nullopt;
  if (rule == SegmentRule::kPlain) return index / size;
  if (index > 0) return (index - 1) / size;
  if (rule == SegmentRule::kLeaderExcluded) return std::nullopt;
  return 0;
}

int Segments::rank(int index) const {
  const std::optional<int> segment = of(index);
  return segment ? index - first(*segment) : 0;
}

int Segments::pods_in(int segment) const {
  if (segment < 0 || segment >= count()) return 0;
  const int leader = rule == SegmentRule::kLeaderExtra && segment == 0 ? 1 : 0;
  return std::min(size + leader, pods - first(segment));
}

int Segments::first(int segment) const {
  if (size <= 0 || segment < 0) return 0;
  if (rule == SegmentRule::kLeaderExtra && segment == 0) return 0;
  return segment * size + shift(rule);
}

}  // namespace toposeg::workload
