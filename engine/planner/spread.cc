// From the best cost to who goes where. A recorded choice says how many children of each kin get how much;
// along the path order the larger shares go first, which makes the plan the first of its equals. Where
// choices of different make-up cost the same (a tie), a table over the children in path order decides
// instead.
#include <algorithm>

#include "engine/planner/choice.h"
#include "engine/planner/closed.h"
#include "engine/planner/path_table.h"

namespace toposeg::engine {

void Closed::spread_segments(Vertex v, int x, PieceSet set, Spread& out) {
  spread(v, x, set, Unit::kSegments, out);
}

void Closed::spread_pods(Vertex v, int m, bool extra, Spread& out) {
  spread(v, m, extra ? kExtraPiece : kNoPiece, Unit::kPods, out);
}

// True when there is nothing to choose below v, which is written then: v is a leaf, or a host that is a level
// of its own.
inline bool Closed::spread_alone(Vertex v, int x, PieceSet set, Spread& out) const {
  while (v < tree_->first_leaf()) {
    const VertexRange children = tree_->children(v);
    if (children.size() != 1) return false;
    v = children.begin;
  }
  if (x == 0 && set == kNoPiece) return true;
  out.leaves.push_back({v, x});
  if (set != kNoPiece) out.extra_leaf = v;
  return true;
}

// All that v can take: no choice either.
void Closed::spread_full(Vertex v, Spread& out) const {
  const VertexRange leaves = tree_->under(v, tree_->levels());
  for (Vertex leaf = leaves.begin; leaf < leaves.end; ++leaf) {
    const std::int32_t pods = view_->capacity(leaf);
    if (pods > 0) out.leaves.push_back({leaf, pods});
  }
}

void Closed::spread(Vertex v, int x, PieceSet set, Unit unit, Spread& out) {
  if (x == 0 && set == kNoPiece) return;
  if (unit == Unit::kSegments && tree_->level(v) == closing_) {
    const auto begin = static_cast<std::uint32_t>(out.leaves.size());
    spread_pods(v, pods_of_item(x, set, unit), hosts_extra(*problem_, set), out);
    out.domains.push_back({v, x, set, begin, static_cast<std::uint32_t>(out.leaves.size())});
    return;
  }
  if (unit == Unit::kPods && spread_alone(v, x, set, out)) return;
  if (unit == Unit::kPods && set == kNoPiece && x == view_->capacity(v)) return spread_full(v, out);
  const Entry entry = unit == Unit::kPods ? pods(v, x, set != kNoPiece) : segments(v, x, set);
  if (unit == Unit::kPods && tree_->level(v) == tree_->levels() - 1) {
    spread_nodes(v, entry, x, set != kNoPiece, out);
  } else if (solved_[entry].tie) {
    spread_by_path(v, solved_[entry].children, x, set, unit, out);
  } else {
    spread_by_picks(v, entry, x, unit, out);
  }
}

bool Closed::matches(const Pick& pick, Vertex child) const {
  if (pick.count == 0) return false;
  if (pick.vertex != kRoot || in_use(child)) return pick.vertex == child;
  return pick.signature == view_->signature(child) && pick.capacity == view_->capacity(child) &&
         pick.beside == view_->beside(child);
}

// Puts a copy of the entry's picks on the stack, to be counted down; solving further entries may move the
// originals.
std::size_t Closed::copy_picks(Entry entry) {
  const std::size_t base = open_picks_.size();
  for (std::uint32_t i = solved_[entry].picks_begin; i < solved_[entry].picks_end; ++i) {
    const Pick pick = picks_[i];
    open_picks_.push_back(pick);
  }
  return base;
}

void Closed::spread_by_picks(Vertex v, Entry entry, int x, Unit unit, Spread& out) {
  const std::size_t base = copy_picks(entry);
  const std::size_t end = open_picks_.size();
  int left = x;
  const VertexRange children = tree_->children(v);
  for (Vertex child = children.begin; child < children.end; ++child) {
    for (std::size_t i = base; i < end; ++i) {
      if (!matches(open_picks_[i], child)) continue;
      --open_picks_[i].count;
      const int units = std::min(open_picks_[i].x, left);
      left -= units;
      const PieceSet set = open_picks_[i].set;
      if (unit != Unit::kPods || !spread_alone(child, units, set, out)) spread(child, units, set, unit, out);
      break;
    }
  }
  open_picks_.resize(base);
}

void Closed::spread_by_path(Vertex v, int n, int x, PieceSet set, Unit unit, Spread& out) {
  const std::size_t base = ways_.size();
  choose_ways(v, n, x, set, unit);
  const std::size_t end = ways_.size();
  int left = x;
  for (std::size_t i = base; i < end; ++i) {
    const Way way = ways_[i];
    const int units = std::min(way.units, left);
    left -= units;
    spread(way.child, units, way.set, unit, out);
  }
  ways_.resize(base);
}

void Closed::choose_ways(Vertex v, int n, int x, PieceSet set, Unit unit) {
  Choice choice(*this, v, x, set, unit);
  choice.take(n);
  PathTable table(choice, v);
  table.fill();
  int j = n;
  std::int32_t loss = choice.slack;
  PieceSet have = set;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const Item* item = table.first_best(i, j, loss, have);
    const Kin k = table.kin(i);
    if (item == nullptr) {
      loss -= choice.skip_loss(k);
      continue;
    }
    ways_.push_back({k.like, item->x, item->set});
    loss -= item->loss;
    j -= k.used ? 0 : 1;
    have ^= item->set;
  }
}

}  // namespace toposeg::engine
