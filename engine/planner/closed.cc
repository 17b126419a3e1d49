#include "engine/planner/closed.h"

#include <algorithm>
#include <utility>

namespace toposeg::engine {

void Spread::clear() {
  leaves.clear();
  domains.clear();
  extra_leaf = kRoot;
}

void Closed::begin(const CapacityView& view, const Problem& problem, std::span<const std::uint8_t> used,
                   const Deadline& deadline) {
  view_ = &view;
  tree_ = &view.tree();
  problem_ = &problem;
  used_ = used;
  deadline_ = deadline;
  ticks_ = 0;
  late_ = false;
  proven_ = true;
  layout_ = CostLayout(tree_->levels());
  width_ = layout_.size();
  solved_.clear();
  rows_.clear();
  picks_.clear();
  if (index_.empty()) index_.resize(1024);
  if (++generation_ == 0) {
    std::fill(index_.begin(), index_.end(), 0);
    generation_ = 1;
  }
  // Entry 0: nothing below a node.
  solved_.emplace_back();
  rows_.resize(width_, 0);
}

// Asks the clock now and then only.
bool Closed::out_of_time() {
  if (!late_ && ++ticks_ % 16 == 0) late_ = deadline_.expired();
  return late_;
}

void Closed::close_at(int level, Vertex within, PieceSet wanted) {
  closing_ = level;
  wanted_ = wanted;
  for (PieceSet set = 0; set <= wanted; ++set) {
    if ((set & ~wanted) == 0 && units_[set].size() < tree_->size()) units_[set].resize(tree_->size());
  }
  const VertexRange domains = tree_->under(within, level);
  for (PieceSet set = 0; set <= wanted; ++set) {
    if ((set & ~wanted) != 0) continue;
    for (Vertex v = domains.begin; v < domains.end; ++v) units_[set][v] = units_in(*view_, *problem_, v, set);
  }
  for (int above = level - 1; above >= tree_->level(within); --above) {
    const VertexRange parents = tree_->under(within, above);
    for (Vertex v = parents.begin; v < parents.end; ++v) {
      UnitsBeside total = nothing_yet();
      const VertexRange children = tree_->children(v);
      for (Vertex child = children.begin; child < children.end; ++child) {
        if (wanted == kNoPiece) {
          total[kNoPiece] += units_[kNoPiece][child];
          continue;
        }
        UnitsBeside here = nothing_yet();
        for (PieceSet set = 0; set <= wanted; ++set) {
          if ((set & ~wanted) == 0) here[set] = units_[set][child];
        }
        fold(total, here, wanted);
      }
      for (PieceSet set = 0; set <= wanted; ++set) {
        if ((set & ~wanted) == 0) units_[set][v] = total[set];
      }
    }
  }
}

std::int32_t Closed::units(Vertex v, PieceSet set, Unit unit) const {
  if (unit == Unit::kSegments) return units_[set][v];
  return set == kNoPiece ? view_->capacity(v) : view_->beside(v);
}

bool Closed::can_help(Vertex v, PieceSet set, Unit unit) const {
  if (units(v, kNoPiece, unit) > 0) return true;
  for (PieceSet some = set; some != 0; some = (some - 1) & set) {
    if (units(v, some, unit) >= 0) return true;
  }
  return false;
}

bool Closed::same_kin(Vertex a, Vertex b) const {
  return view_->signature(a) == view_->signature(b) && view_->capacity(a) == view_->capacity(b) &&
         view_->beside(a) == view_->beside(b) && !in_use(a) && !in_use(b);
}

// Pushes the kin of v's children, the roomiest first; of equals, the first in path order.
void Closed::gather_kin(Vertex v, PieceSet set, Unit unit) {
  const std::size_t base = kin_.size();
  const VertexRange children = tree_->children(v);
  for (Vertex child = children.begin; child < children.end; ++child) {
    if (!can_help(child, set, unit)) continue;
    std::size_t i = kin_.size();
    while (i > base && !same_kin(kin_[i - 1].like, child)) --i;
    if (i > base) {
      ++kin_[i - 1].count;
    } else {
      kin_.push_back({child, 1, units(child, kNoPiece, unit), in_use(child)});
    }
  }
  std::sort(kin_.begin() + static_cast<std::ptrdiff_t>(base), kin_.end(), [](const Kin& a, const Kin& b) {
    return a.units != b.units ? a.units > b.units : a.like < b.like;
  });
}

Closed::Key Closed::key_of(Vertex v, int x, PieceSet set, Unit unit) const {
  Key key{.signature = view_->signature(v),
          .capacity = view_->capacity(v),
          .beside = view_->beside(v),
          .x = x,
          .level = static_cast<std::int8_t>(tree_->level(v)),
          .unit = unit,
          .set = static_cast<std::uint8_t>(set)};
  if (in_use(v)) key.vertex = v;
  if (unit == Unit::kSegments) key.closing = static_cast<std::uint8_t>(closing_ + 1);
  return key;
}

std::uint64_t Closed::hash(const Key& key) {
  const std::uint64_t rest = static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.x)) << 20U ^
                             static_cast<std::uint64_t>(key.set) << 8U ^
                             static_cast<std::uint64_t>(key.unit) << 60U ^ key.vertex;
  return (key.signature ^ rest) * 0x9e3779b97f4a7c15U;
}

void Closed::grow_index() {
  index_.assign(index_.size() * 2, 0);
  const std::size_t mask = index_.size() - 1;
  for (Entry entry = 1; entry < solved_.size(); ++entry) {
    std::size_t slot = (hash(solved_[entry].key) >> 32U) & mask;
    while (index_[slot] >> 32U == generation_) slot = (slot + 1) & mask;
    index_[slot] = (static_cast<std::uint64_t>(generation_) << 32U) | entry;
  }
}

Closed::Entry Closed::find_or_add(const Key& key, bool& fresh) {
  if (solved_.size() * 2 > index_.size()) grow_index();
  const std::size_t mask = index_.size() - 1;
  std::size_t slot = (hash(key) >> 32U) & mask;
  while (index_[slot] >> 32U == generation_) {
    const auto entry = static_cast<Entry>(index_[slot]);
    if (solved_[entry].key == key) {
      fresh = false;
      return entry;
    }
    slot = (slot + 1) & mask;
  }
  const auto entry = static_cast<Entry>(solved_.size());
  index_[slot] = (static_cast<std::uint64_t>(generation_) << 32U) | entry;
  solved_.emplace_back();
  solved_.back().key = key;
  solved_.back().row = static_cast<std::uint32_t>(rows_.size());
  rows_.resize(rows_.size() + width_, 0);
  fresh = true;
  return entry;
}

ConstCostRow Closed::row(Entry entry) const { return {rows_.data() + solved_[entry].row, width_}; }

void Closed::add_own(Vertex v, CostRow into) const {
  if (v == kRoot || in_use(v)) return;
  ++into[layout_.domains(tree_->level(v))];
  into[layout_.leftover(tree_->level(v))] += view_->room(v);
}

Closed::Entry Closed::segments(Vertex v, int x, PieceSet set) {
  if (tree_->level(v) == closing_) {
    return pods(v, x * problem_->size + pods_of(*problem_, set), hosts_extra(*problem_, set));
  }
  bool fresh = false;
  const Entry entry = find_or_add(key_of(v, x, set, Unit::kSegments), fresh);
  if (fresh && (x > 0 || set != kNoPiece)) select_domains(v, x, set, Unit::kSegments, entry);
  return entry;
}

Closed::Entry Closed::pods(Vertex v, int m, bool extra) {
  if (tree_->level(v) == tree_->levels()) return 0;
  const PieceSet set = extra ? kExtraPiece : kNoPiece;
  bool fresh = false;
  const Entry entry = find_or_add(key_of(v, m, set, Unit::kPods), fresh);
  if (!fresh || (m == 0 && !extra)) return entry;
  if (tree_->level(v) == tree_->levels() - 1) {
    select_nodes(v, m, set, entry);
  } else {
    select_domains(v, m, set, Unit::kPods, entry);
  }
  return entry;
}

Closed::Entry Closed::child_entry(Vertex child, int x, PieceSet set, Unit unit) {
  return unit == Unit::kPods ? pods(child, x, set != kNoPiece) : segments(child, x, set);
}

}  // namespace toposeg::engine
