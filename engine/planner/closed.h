// The knapsack over the tree, for the case that every segment closes (has all its pods) inside one domain of
// one level, the closing level: then what happens below that level depends on a domain's number of pods only,
// and what happens above it on its number of segments only, and costs add up.
//
// cost(v, x, set) = the least cost of placing x full segments and the pieces of `set` below v. It is found by
// choosing among v's children the smallest number that suffices and, among these choices, the cheapest
// (select_domains.cc, select_nodes.cc); equal subtrees are solved once (CapacityView::signature).
// docs/placement.md derives it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/capacity/view.h"
#include "engine/planner/cost.h"
#include "engine/planner/deadline.h"
#include "engine/planner/pieces.h"
#include "engine/planner/problem.h"

namespace toposeg::engine {

// Which pods go where, in depth-first order.
struct Spread {
  struct Leaf {
    Vertex leaf = kRoot;
    int pods = 0;  // workers; 0 where only the extra pod stands
  };
  struct Domain {  // of the closing level
    Vertex domain = kRoot;
    int units = 0;  // full segments
    PieceSet set = kNoPiece;
    std::uint32_t begin = 0;  // into leaves
    std::uint32_t end = 0;
  };
  std::vector<Leaf> leaves;
  std::vector<Domain> domains;
  Vertex extra_leaf = kRoot;

  void clear();
};

class Closed {
 public:
  // Forgets everything and takes up a new question. `used`: one flag a vertex (with ancestors) for domains
  // that cost nothing because the group is there already; empty = none. All arguments must outlive the use.
  // When the deadline passes, choices without pieces fall back on the roomiest children and proven() is
  // false.
  void begin(const CapacityView& view, const Problem& problem, std::span<const std::uint8_t> used,
             const Deadline& deadline);
  [[nodiscard]] bool proven() const { return proven_; }

  // Sets the closing level, for what lies below `within`. Needed before segments(); keeps what is known of
  // pods().
  void close_at(int level, Vertex within, PieceSet wanted);

  using Entry = std::uint32_t;
  // v at or above the closing level; x and set must fit (units_over() of v's domains says so).
  Entry segments(Vertex v, int x, PieceSet set);
  // Any v: m worker pods and perhaps the extra one, with no regard to segments. Must fit.
  Entry pods(Vertex v, int m, bool extra);

  // The cost below v (v's own level and those above are not in it). Valid until the next question.
  [[nodiscard]] ConstCostRow row(Entry entry) const;
  // Adds what using v itself costs: its level's domain count and capacity.
  void add_own(Vertex v, CostRow into) const;

  // Writes the best choice below v; of equal ones the first in path order, level by level.
  void spread_segments(Vertex v, int x, PieceSet set, Spread& out);
  void spread_pods(Vertex v, int m, bool extra, Spread& out);

  [[nodiscard]] const CostLayout& layout() const { return layout_; }
  [[nodiscard]] bool in_use(Vertex v) const { return !used_.empty() && used_[v] != 0; }

 private:
  // What is counted out among children: pods, or full segments.
  enum class Unit : std::uint8_t { kPods, kSegments };

  struct Key {
    std::uint64_t signature = 0;
    Vertex vertex = kRoot;  // only for domains in use, which are like no other
    std::int32_t capacity = 0;
    std::int32_t beside = 0;
    std::int32_t x = 0;
    std::int8_t level = 0;
    Unit unit = Unit::kPods;
    std::uint8_t set = 0;
    std::uint8_t closing = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Solved {
    Key key;
    std::uint32_t row = 0;
    std::uint32_t picks_begin = 0;
    std::uint32_t picks_end = 0;
    bool tie = false;           // several choices cost the same: path order must decide
    std::int32_t children = 0;  // new children used
  };
  // `count` children like this one get x units and `set`.
  struct Pick {
    std::uint64_t signature = 0;
    Vertex vertex = kRoot;
    std::int32_t capacity = 0;
    std::int32_t beside = 0;
    std::int32_t x = 0;
    std::int32_t count = 0;
    std::uint8_t set = 0;
    [[nodiscard]] bool same_as(const Pick& other) const {
      return signature == other.signature && vertex == other.vertex && capacity == other.capacity &&
             beside == other.beside && x == other.x && set == other.set;
    }
  };
  // Children that are the same to the planner.
  struct Kin {
    Vertex like = kRoot;
    std::int32_t count = 0;
    std::int32_t units = 0;  // without pieces
    bool used = false;
  };
  struct Cell {
    std::int32_t a = 0;
    std::int32_t b = 0;
    std::uint8_t set = 0;
    bool reached = false;
    bool tie = false;
  };
  // select_nodes: least capacity used so far.
  struct NodeCell {
    std::int32_t used = -1;  // -1 = not reached
    std::int32_t plain = 0;  // nodes of this kin without the extra pod
    bool extra = false;      // and one with it
    bool tie = false;
  };
  struct ChosenNode {
    Vertex leaf = kRoot;
    std::int32_t room = 0;
    std::int32_t least = 0;  // 0 = it may stay without workers
    bool extra = false;
  };
  struct NodeChoice;  // select_nodes.cc
  friend struct NodeChoice;
  // A block of cells indexed [j][loss][set].
  struct Table {
    std::size_t base = 0;
    std::int32_t losses = 0;
    std::int32_t sets = 0;
    [[nodiscard]] std::size_t at(int j, int loss, PieceSet set) const {
      return base +
             (static_cast<std::size_t>(j) * static_cast<std::size_t>(losses) +
              static_cast<std::size_t>(loss)) *
                 static_cast<std::size_t>(sets) +
             set;
    }
  };
  struct Reached {
    int j = 0;
    std::int32_t loss = 0;
    PieceSet set = kNoPiece;
    std::size_t cell = 0;
  };
  // One way for one child: x units and a set, for a row of cost and a loss against the child's full use.
  struct Item {
    std::int32_t x = 0;
    std::int32_t loss = 0;
    std::uint8_t set = 0;
    std::uint32_t row = 0;  // into item_rows_, in rows
  };
  // A child in a table by path order, with its ways in items_.
  struct PathChild {
    Kin kin;
    std::size_t items_begin = 0;
    std::size_t items_end = 0;
  };
  // What the path order gave a child.
  struct Way {
    Vertex child = kRoot;
    int units = 0;
    std::uint8_t set = 0;
  };
  class PathTable;  // path_table.h
  friend class PathTable;
  struct Loss;    // loss.h
  struct Choice;  // one selection among the children of a vertex: select_domains.cc
  friend struct Choice;

  [[nodiscard]] std::int32_t units(Vertex v, PieceSet set, Unit unit) const;
  [[nodiscard]] int pods_of_item(int x, PieceSet set, Unit unit) const {
    return unit == Unit::kPods ? x : x * problem_->size + pods_of(*problem_, set);
  }
  [[nodiscard]] bool can_help(Vertex v, PieceSet set, Unit unit) const;
  [[nodiscard]] Entry child_entry(Vertex child, int x, PieceSet set, Unit unit);
  [[nodiscard]] bool same_kin(Vertex a, Vertex b) const;
  void gather_kin(Vertex v, PieceSet set, Unit unit);

  [[nodiscard]] static std::uint64_t hash(const Key& key);
  void grow_index();
  Entry find_or_add(const Key& key, bool& fresh);
  [[nodiscard]] Key key_of(Vertex v, int x, PieceSet set, Unit unit) const;

  [[nodiscard]] bool out_of_time();
  bool select_one(Vertex v, int x, Unit unit, Entry entry);
  bool select_singles(Vertex v, int x, Unit unit, Entry entry);
  void select_roomiest(Vertex v, int x, Unit unit, Entry entry);
  void select_domains(Vertex v, int x, PieceSet set, Unit unit, Entry entry);
  void select_nodes(Vertex v, int x, PieceSet set, Entry entry);
  Table new_table(int js, int losses, PieceSet set);
  void begin_at(std::size_t cell);  // nothing chosen yet, at no cost

  void spread(Vertex v, int x, PieceSet set, Unit unit, Spread& out);
  [[nodiscard]] bool spread_alone(Vertex v, int x, PieceSet set, Spread& out) const;
  void spread_full(Vertex v, Spread& out) const;
  void spread_by_picks(Vertex v, Entry entry, int x, Unit unit, Spread& out);
  void spread_by_path(Vertex v, int n, int x, PieceSet set, Unit unit, Spread& out);
  void choose_ways(Vertex v, int n, int x, PieceSet set, Unit unit);
  void choose_by_picks(Vertex v, Entry entry);
  void choose_by_path(Vertex v, int n, int x, bool extra);
  void spread_nodes(Vertex v, Entry entry, int x, bool extra, Spread& out);
  [[nodiscard]] bool matches(const Pick& pick, Vertex child) const;
  std::size_t copy_picks(Entry entry);

  const CapacityView* view_ = nullptr;
  const Tree* tree_ = nullptr;
  const Problem* problem_ = nullptr;
  std::span<const std::uint8_t> used_;
  CostLayout layout_;
  std::size_t width_ = 0;
  int closing_ = 0;
  PieceSet wanted_ = kNoPiece;
  std::array<std::vector<std::int32_t>, kPieceSets> units_;  // by vertex, levels at or above the closing one

  Deadline deadline_;
  unsigned ticks_ = 0;
  bool late_ = false;
  bool proven_ = true;

  std::vector<Solved> solved_;
  std::vector<std::uint64_t> index_;  // open addressing: generation << 32 | entry
  std::uint32_t generation_ = 0;
  std::vector<CostItem> rows_;
  std::vector<Pick> picks_;

  // Scratch of selections under way, used like stacks.
  std::vector<Kin> kin_;
  std::vector<Cell> cells_;
  std::vector<CostItem> cell_rows_;
  std::vector<Reached> reached_;
  std::vector<PathChild> path_children_;
  std::vector<Table> path_layers_;
  std::vector<Way> ways_;
  std::vector<Item> items_;
  std::vector<CostItem> item_rows_;
  std::vector<Table> tables_;
  std::vector<Pick> open_picks_;
  std::vector<NodeCell> node_cells_;
  std::vector<ChosenNode> chosen_;
};

}  // namespace toposeg::engine
