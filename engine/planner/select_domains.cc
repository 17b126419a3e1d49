// Choosing among the children of a domain when what happens inside a child matters.
//
// Exactly n new children are used, n the smallest number that suffices (fewest domains come first in the
// objective). Let b be the n-th largest room among the new children. Against the choice "the n roomiest, each
// full" every other choice loses units: a roomier child left out loses room - b, a used one loses max(room,
// b) - x. The losses add up to the same number for every choice of x units in n children, so one table over
// (children used, loss) decides, and as that number is smaller than b, the table is small. Children that are
// the same are handled as one kin with a count.
#include <algorithm>
#include <cassert>
#include <limits>
#include <tuple>

#include "engine/planner/choice.h"
#include "engine/planner/closed.h"

namespace toposeg::engine {

// One new child that takes everything, when one is enough: no table needed.
bool Closed::select_one(Vertex v, int x, Unit unit, Entry entry) {
  Choice choice(*this, v, x, kNoPiece, unit);
  std::size_t best_item = 0;
  bool tie = false;
  if (choice.kins() == 0 || !choice.plain() || choice.kin(0).units < x) return false;
  choice.n = 1;
  for (std::size_t i = 0; i < choice.kins() && choice.kin(i).units >= x; ++i) {
    const Kin kin = choice.kin(i);
    choice.push_item(kin, x, kNoPiece, child_entry(kin.like, x, kNoPiece, unit));
    const std::size_t item = items_.size() - 1;
    const int order =
        i == 0 ? -1 : compare(choice.item_row(items_[item]), choice.item_row(items_[best_item]));
    if (order == 0) tie = true;
    if (order >= 0) continue;
    tie = false;
    best_item = item;
  }
  choice.keep_row(choice.item_row(items_[best_item]), solved_[entry]);
  solved_[entry].tie = tie;
  solved_[entry].children = 1;
  choice.push_pick(choice.kin(best_item - choice.items_base), x, 0);
  choice.keep_picks(solved_[entry]);
  return true;
}

// No child takes more than one unit, so x children take one each: the x cheapest, for costs add up.
bool Closed::select_singles(Vertex v, int x, Unit unit, Entry entry) {
  Choice choice(*this, v, x, kNoPiece, unit);
  if (choice.kins() == 0 || !choice.plain() || choice.kin(0).units != 1 || !choice.take(x)) return false;
  for (std::size_t i = 0; i < choice.kins(); ++i) {
    const Kin kin = choice.kin(i);
    choice.push_item(kin, 1, kNoPiece, child_entry(kin.like, 1, kNoPiece, unit));
  }
  const auto first = items_.begin() + static_cast<std::ptrdiff_t>(choice.items_base);
  std::sort(first, items_.end(), [&](const Item& a, const Item& b) {
    const int order = compare(choice.item_row(a), choice.item_row(b));
    return order != 0 ? order < 0 : a.row < b.row;
  });
  int left = x;
  const Item* last = nullptr;  // taken from
  for (auto item = first; item != items_.end(); ++item) {
    if (left == 0 && compare(choice.item_row(*item), choice.item_row(*last)) != 0) break;
    const Kin kin = choice.kin(item->row - choice.items_base);
    const int taken = std::min(left, kin.count);
    // Dear ones of equal price in several kin, of which not all are taken.
    const bool alike = last != nullptr && compare(choice.item_row(*item), choice.item_row(*last)) == 0;
    if (alike && taken < kin.count) solved_[entry].tie = true;
    if (taken == 0) break;
    choice.add_times(choice.item_row(*item), taken, solved_[entry]);
    choice.push_pick(kin, 1, kNoPiece, taken);
    left -= taken;
    last = &*item;
  }
  solved_[entry].children = x;
  choice.keep_picks(solved_[entry]);
  return true;
}

// When time is up: the roomiest children, each full, the last one with the rest.
void Closed::select_roomiest(Vertex v, int x, Unit unit, Entry entry) {
  proven_ = false;
  Choice choice(*this, v, x, kNoPiece, unit);
  int left = x;
  for (std::size_t i = 0; left > 0; ++i) {
    const Kin kin = choice.kin(i);
    for (int t = 0; t < kin.count && left > 0; ++t) {
      const int units = std::min(left, kin.units);
      const Entry below = child_entry(kin.like, units, kNoPiece, unit);
      const CostRow row{rows_.data() + solved_[entry].row, width_};
      add(row, this->row(below));
      add_own(kin.like, row);
      choice.push_pick(kin, units, 0);
      left -= units;
    }
  }
  choice.keep_picks(solved_[entry]);
}

void Closed::select_domains(Vertex v, int x, PieceSet set, Unit unit, Entry entry) {
  const bool plain = set == kNoPiece && used_.empty();
  if (plain && select_one(v, x, unit, entry)) return;
  if (plain && select_singles(v, x, unit, entry)) return;
  if (plain && out_of_time()) return select_roomiest(v, x, unit, entry);
  Choice choice(*this, v, x, set, unit);
  for (int n = 0;; ++n) {
    assert(n <= static_cast<int>(tree_->children(v).size()) && "x and set must fit");
    if (!choice.take(n) || !choice.run()) continue;
    choice.keep_row(choice.cell_row(tables_.back().at(n, choice.best_loss, set)), solved_[entry]);
    solved_[entry].tie = choice.tie;
    solved_[entry].children = n;
    choice.record(solved_[entry]);
    return;
  }
}

}  // namespace toposeg::engine
