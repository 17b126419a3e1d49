// One selection among the children of a domain: the tables of select_domains.cc. Internal to the planner.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/planner/closed.h"
#include "engine/planner/loss.h"

namespace toposeg::engine {

// The selection for one (v, x, set), with its place in the shared scratch stacks; everything pushed is popped
// at its end.
struct Closed::Choice : Closed::Loss {
  Closed& closed;
  int x;
  PieceSet set;
  Unit unit;
  std::size_t kin_base;
  std::size_t kin_end;
  std::size_t cells_base;
  std::size_t tables_base;
  std::size_t items_base;
  std::size_t picks_base;
  // The part of a cost row that speaks of what is below v; the rest is zero in every row of this choice.
  std::size_t row_begin;
  std::size_t row_size;
  std::int32_t best_loss = 0;
  bool tie = false;

  Choice(Closed& owner, Vertex v, int units, PieceSet pieces, Unit what)
      : closed(owner),
        x(units),
        set(pieces),
        unit(what),
        kin_base(owner.kin_.size()),
        kin_end(0),
        cells_base(owner.cells_.size()),
        tables_base(owner.tables_.size()),
        items_base(owner.items_.size()),
        picks_base(owner.open_picks_.size()),
        row_begin(static_cast<std::size_t>(owner.tree_->level(v) + 1)),
        row_size(owner.width_ - 2 * row_begin) {
    owner.gather_kin(v, pieces, what);
    kin_end = owner.kin_.size();
  }
  ~Choice() {
    clear_tables();
    closed.kin_.resize(kin_base);
    closed.open_picks_.resize(picks_base);
  }
  Choice(const Choice&) = delete;
  Choice& operator=(const Choice&) = delete;

  void clear_tables() const;
  [[nodiscard]] const Kin& kin(std::size_t i) const { return closed.kin_[kin_base + i]; }
  [[nodiscard]] std::size_t kins() const { return kin_end - kin_base; }

  // The n-th step: true when n new children can hold x units at all; sets bound and slack.
  bool take(int count) { return measure({closed.kin_.data() + kin_base, kins()}, count, x); }

  // No pieces to place and no child that is free of cost: every used child takes at least one unit.
  [[nodiscard]] bool plain() const { return set == kNoPiece && closed.used_.empty(); }
  // What is left over follows from the pods that the used nodes take: not where a node is limited.
  [[nodiscard]] bool staircase() const { return plain() && unit == Unit::kPods && !closed.view_->limited(); }

  // Pushes every way to use one child of this kin whose loss can still be afforded, fewest pods first;
  // returns the first one's place.
  std::size_t push_items(const Kin& k);
  void push_ways(const Kin& k);
  void push_stairs(const Kin& k);
  void push_item(const Kin& k, int units, PieceSet some, Entry entry);
  [[nodiscard]] ConstCostRow item_row(const Item& item) const {
    return {closed.item_rows_.data() + item.row * closed.width_ + row_begin, row_size};
  }
  [[nodiscard]] CostRow cell_row(std::size_t cell) const {
    return {closed.cell_rows_.data() + cell * closed.width_ + row_begin, row_size};
  }
  void add_times(ConstCostRow row, int count, Solved& solved) const {
    CostItem* into = closed.rows_.data() + solved.row + row_begin;
    for (const CostItem item : row) *into++ += item * count;
  }
  void keep_row(ConstCostRow row, Solved& solved) const {
    std::copy(row.begin(), row.end(), closed.rows_.data() + solved.row + row_begin);
  }

  // Puts a + b into the cell if that is cheaper. At the same price the new way is preferred, or a tie is
  // noted.
  void offer(std::size_t cell, ConstCostRow a, ConstCostRow b, const Cell& way,
             bool prefer_new = false) const;

  // Within one kin: least cost of using t of its children with a total loss, item by item so that every
  // multiset of items is met exactly once. At the same price a larger last item wins, which is the order of
  // the path: among children that are alike the larger shares come first.
  Table fill_kin(int most, std::size_t first_item);

  // The next layer: what all kin so far can do, with this one.
  Table join(const Table& before, const Table& own, const Kin& k, int most);
  void list_reached(const Table& table);
  void join_one(const Table& after, const Cell& way, std::size_t cell, std::int32_t skipped, bool used);

  // All layers for this n; false when x units and the set cannot come out.
  bool run();

  // The answer's cell: all loss is spent, or on a staircase any part of it.
  bool find_best();

  // Follows the cells back from the answer and keeps what each kin got.
  void record(Solved& solved);
  void push_pick(const Kin& k, int units, std::uint8_t some, int count = 1);
  // More pods first: that is the order in which children of one kin are served along the path order.
  void keep_picks(Solved& solved) const;
  void record_kin(const Kin& k, const Table& own, Cell cell);
};

}  // namespace toposeg::engine
