#include "engine/planner/choice.h"

#include <algorithm>
#include <tuple>

namespace toposeg::engine {

void Closed::Choice::clear_tables() const {
  closed.cells_.resize(cells_base);
  closed.tables_.resize(tables_base);
  closed.items_.resize(items_base);
  closed.item_rows_.resize(items_base * closed.width_);
}

std::size_t Closed::Choice::push_items(const Kin& k) {
  const std::size_t first = closed.items_.size();
  if (staircase()) {
    push_stairs(k);
    return first;
  }
  push_ways(k);
  std::sort(closed.items_.begin() + static_cast<std::ptrdiff_t>(first), closed.items_.end(),
            [this](const Item& a, const Item& b) {
              const int pods_a = closed.pods_of_item(a.x, a.set, unit);
              const int pods_b = closed.pods_of_item(b.x, b.set, unit);
              return std::tie(pods_a, a.set) < std::tie(pods_b, b.set);
            });
  return first;
}

void Closed::Choice::push_ways(const Kin& k) {
  for (PieceSet some = set;; some = (some - 1) & set) {
    const int least = some == kNoPiece ? 1 : 0;
    int most = std::min(closed.units(k.like, some, unit), x);
    if (plain()) most = std::min(most, x - (n - 1));
    for (int units = most; units >= least && use_loss(k, units) <= slack; --units) {
      push_item(k, units, some, closed.child_entry(k.like, units, some, unit));
    }
    if (some == 0) break;
  }
}

void Closed::Choice::push_stairs(const Kin& k) {
  int units = std::max(1, std::max(k.units, bound) - slack);
  while (units <= std::min(k.units, x - (n - 1))) {
    const Entry entry = closed.pods(k.like, units, false);
    const int end = closed.row(entry)[closed.layout_.leftover(closed.tree_->levels())];
    push_item(k, end, kNoPiece, entry);
    units = end + 1;
  }
}

void Closed::Choice::push_item(const Kin& k, int units, PieceSet some, Entry entry) {
  const std::size_t at = closed.items_.size();
  closed.items_.push_back(
      {units, use_loss(k, units), static_cast<std::uint8_t>(some), static_cast<std::uint32_t>(at)});
  closed.item_rows_.resize((at + 1) * closed.width_, 0);
  const CostRow row{closed.item_rows_.data() + at * closed.width_, closed.width_};
  const ConstCostRow below = closed.row(entry);
  std::copy(below.begin(), below.end(), row.begin());
  closed.add_own(k.like, row);
}

void Closed::Choice::offer(std::size_t cell, ConstCostRow a, ConstCostRow b, const Cell& way,
                           bool prefer_new) const {
  Cell& to = closed.cells_[cell];
  const CostRow row = cell_row(cell);
  if (to.reached) {
    const int order = compare_sum(a, b, row);
    if (order > 0) return;
    if (order == 0 && !prefer_new) {
      to.tie = true;
      return;
    }
  }
  to = way;
  to.reached = true;
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = a[i] + b[i];
}

Closed::Table Closed::Choice::fill_kin(int most, std::size_t first_item) {
  const Table table = closed.new_table(most + 1, slack + 1, set);
  closed.begin_at(table.at(0, 0, kNoPiece));
  for (std::size_t i = first_item; i < closed.items_.size(); ++i) {
    const Item item = closed.items_[i];
    for (int t = 1; t <= most; ++t) {
      for (std::int32_t loss = item.loss; loss <= slack; ++loss) {
        for (PieceSet have = item.set; have <= set; ++have) {
          if ((have & ~set) != 0 || (have & item.set) != item.set) continue;
          const std::size_t from = table.at(t - 1, loss - item.loss, have ^ item.set);
          if (!closed.cells_[from].reached) continue;
          const Cell way{static_cast<std::int32_t>(i), 0, item.set, true, false};
          offer(table.at(t, loss, have), cell_row(from), item_row(item), way, true);
        }
      }
    }
  }
  return table;
}

// The tables are sparse, so one is walked cell by cell, and the other only where it was reached.
Closed::Table Closed::Choice::join(const Table& before, const Table& own, const Kin& k, int most) {
  const Table after = closed.new_table(n + 1, slack + 1, set);
  const std::int32_t skip = skip_loss(k);
  list_reached(before);
  for (int t = 0; t <= most; ++t) {
    const std::int64_t skipped = static_cast<std::int64_t>(k.count - t) * skip;
    if (skipped > slack) continue;
    for (std::int32_t loss = 0; loss <= slack - skipped; ++loss) {
      for (PieceSet some = 0; some <= set; ++some) {
        const std::size_t cell = own.at(t, loss, some);
        if ((some & ~set) != 0 || !closed.cells_[cell].reached) continue;
        join_one(after, {t, loss, static_cast<std::uint8_t>(some), true, closed.cells_[cell].tie}, cell,
                 static_cast<std::int32_t>(skipped), k.used);
      }
    }
  }
  return after;
}

void Closed::Choice::list_reached(const Table& table) {
  closed.reached_.clear();
  for (int j = 0; j <= n; ++j) {
    for (std::int32_t loss = 0; loss <= slack; ++loss) {
      for (PieceSet have = 0; have <= set; ++have) {
        const std::size_t cell = table.at(j, loss, have);
        if (closed.cells_[cell].reached) closed.reached_.push_back({j, loss, have, cell});
      }
    }
  }
}

void Closed::Choice::join_one(const Table& after, const Cell& way, std::size_t cell, std::int32_t skipped,
                              bool used) {
  const int step = used ? 0 : way.a;
  for (const Reached& from : closed.reached_) {
    const std::int32_t loss = from.loss + way.b + skipped;
    if (from.j + step > n || loss > slack || (from.set & way.set) != 0) continue;
    Cell to = way;
    to.tie = way.tie || closed.cells_[from.cell].tie;
    offer(after.at(from.j + step, loss, from.set | way.set), cell_row(from.cell), cell_row(cell), to);
  }
}

bool Closed::Choice::run() {
  clear_tables();
  closed.tables_.push_back(closed.new_table(n + 1, slack + 1, set));
  closed.begin_at(closed.tables_.back().at(0, 0, kNoPiece));
  for (std::size_t i = 0; i < kins(); ++i) {
    const Kin k = kin(i);
    const int most = k.used ? k.count : std::min(k.count, n);
    const std::size_t first_item = most == 0 ? closed.items_.size() : push_items(k);
    const Table own = fill_kin(most, first_item);
    const Table before = closed.tables_.back();
    const Table after = join(before, own, k, most);
    closed.tables_.push_back(own);
    closed.tables_.push_back(after);
  }
  return find_best();
}

bool Closed::Choice::find_best() {
  const Table& last = closed.tables_.back();
  best_loss = slack;
  tie = closed.cells_[last.at(n, slack, set)].tie;
  bool reached = closed.cells_[last.at(n, slack, set)].reached;
  for (std::int32_t loss = 0; staircase() && loss < slack; ++loss) {
    const std::size_t cell = last.at(n, loss, set);
    if (!closed.cells_[cell].reached) continue;
    const int order = reached ? compare(cell_row(cell), cell_row(last.at(n, best_loss, set))) : -1;
    if (order <= 0) tie = order == 0 || closed.cells_[cell].tie;
    if (order < 0) best_loss = loss;
    reached = true;
  }
  return reached;
}

void Closed::Choice::record(Solved& solved) {
  int j = n;
  std::int32_t loss = best_loss;
  PieceSet have = set;
  for (std::size_t i = kins(); i-- > 0;) {
    const Table own = closed.tables_[tables_base + 1 + 2 * i];
    const Table after = closed.tables_[tables_base + 2 + 2 * i];
    const Cell cell = closed.cells_[after.at(j, loss, have)];
    record_kin(kin(i), own, cell);
    j -= kin(i).used ? 0 : cell.a;
    loss -= cell.b + (kin(i).count - cell.a) * skip_loss(kin(i));
    have ^= cell.set;
  }
  keep_picks(solved);
}

void Closed::Choice::push_pick(const Kin& k, int units, std::uint8_t some, int count) {
  closed.open_picks_.push_back({.signature = closed.view_->signature(k.like),
                                .vertex = k.used ? k.like : kRoot,
                                .capacity = closed.view_->capacity(k.like),
                                .beside = closed.view_->beside(k.like),
                                .x = units,
                                .count = count,
                                .set = some});
}

void Closed::Choice::keep_picks(Solved& solved) const {
  const auto first = closed.open_picks_.begin() + static_cast<std::ptrdiff_t>(picks_base);
  std::sort(first, closed.open_picks_.end(), [this](const Pick& a, const Pick& b) {
    const int pods_a = closed.pods_of_item(a.x, a.set, unit);
    const int pods_b = closed.pods_of_item(b.x, b.set, unit);
    return std::tie(pods_b, b.set, a.signature, a.vertex) < std::tie(pods_a, a.set, b.signature, b.vertex);
  });
  solved.picks_begin = static_cast<std::uint32_t>(closed.picks_.size());
  for (auto pick = first; pick != closed.open_picks_.end(); ++pick) {
    Pick* last = closed.picks_.size() > solved.picks_begin ? &closed.picks_.back() : nullptr;
    if (last != nullptr && last->same_as(*pick)) {
      last->count += pick->count;
    } else {
      closed.picks_.push_back(*pick);
    }
  }
  solved.picks_end = static_cast<std::uint32_t>(closed.picks_.size());
}

void Closed::Choice::record_kin(const Kin& k, const Table& own, Cell cell) {
  int t = cell.a;
  std::int32_t loss = cell.b;
  PieceSet have = cell.set;
  while (t > 0) {
    const Cell step = closed.cells_[own.at(t, loss, have)];
    const Item item = closed.items_[static_cast<std::size_t>(step.a)];
    push_pick(k, item.x, item.set);
    --t;
    loss -= item.loss;
    have ^= item.set;
  }
}

void Closed::begin_at(std::size_t cell) {
  cells_[cell].reached = true;
  std::fill_n(cell_rows_.begin() + static_cast<std::ptrdiff_t>(cell * width_), width_, 0);
}

// The rows keep what earlier tables left in them: a cell's row counts once the cell is reached.
Closed::Table Closed::new_table(int js, int losses, PieceSet set) {
  const Table table{cells_.size(), losses, static_cast<std::int32_t>(set + 1)};
  const std::size_t cells = static_cast<std::size_t>(js) * static_cast<std::size_t>(losses) * (set + 1);
  cells_.resize(cells_.size() + cells);
  if (cell_rows_.size() < cells_.size() * width_) cell_rows_.resize(cells_.size() * width_);
  return table;
}

}  // namespace toposeg::engine
