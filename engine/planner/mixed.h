// The general case: some segments close (have all their pods) at one level, some at broader ones. It arises
// when a preferred level has room for a part of the segments only.
//
// Given how many pods of each sort every domain gets, the most segments that close at each level are known at
// once: floor(pods / size) per domain, plus the first and the partial segment where all their pods are. So
// the levels climbed are a sum over domains, like every other cost, and one table per domain, bottom-up, is
// exact. The tables stay small because where segments must climb nearly all slots of the closer levels are
// taken: states that leave more of them unused than the best plan can afford are dropped (iterative deepening
// on that allowance).
//
// A piece, or one pod of another shape, takes room that decides where the others can close. Then it may pay
// to leave a segment open beyond the closest level that has room for all: it climbs far so that others climb
// less. So a second pass with wider tables looks for such plans, unless the first met the bound.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "engine/planner/closed.h"
#include "engine/planner/deadline.h"
#include "engine/planner/fit.h"

namespace toposeg::engine {

class Mixed {
 public:
  struct Levels {
    Fit fit;          // what is placed; it must fit at `closing`
    int latest = 0;   // every segment closes here at the latest
    int closing = 0;  // closest level that has room for all segments, >= latest
    int deepest = 0;  // closest level at which any segment can close, > closing
    int reach = 0;    // level to reach, >= deepest
  };

  // Shares the pods() part of `closed`, which must have begun the same question.
  explicit Mixed(Closed& closed) : closed_(closed) {}

  void solve(const CapacityView& view, const Problem& problem, Vertex region, const Levels& levels,
             const Deadline& deadline);
  // False when the deadline came first.
  [[nodiscard]] bool solved() const { return solved_; }
  [[nodiscard]] std::int64_t climbed() const { return climbed_; }
  [[nodiscard]] ConstCostRow row() const { return row_; }  // below the region

  // Adds the segments of the last solve() to a solution.
  void write(Solution& solution);

 private:
  // Pods in a domain: of full segments, of the first, of the partial one, and the extra pod.
  struct Load {
    std::int32_t full = 0;
    std::int32_t first = 0;
    std::int32_t partial = 0;
    std::int32_t extra = 0;
    friend auto operator<=>(const Load&, const Load&) = default;
    [[nodiscard]] std::int32_t pods() const { return full + first + partial; }
    friend Load operator+(const Load& a, const Load& b) {
      return {a.full + b.full, a.first + b.first, a.partial + b.partial, a.extra + b.extra};
    }
    friend Load operator-(const Load& a, const Load& b) {
      return {a.full - b.full, a.first - b.first, a.partial - b.partial, a.extra - b.extra};
    }
  };
  struct State {
    Load load;
    std::int32_t closed = 0;  // segments that closed, summed over the levels that count
    std::int32_t unused = 0;  // slots below the closing level left unused, less pieces that closed
    std::uint32_t row = 0;    // into Table::rows, in rows
  };
  struct Table {
    std::vector<State> states;  // sorted by load
    std::vector<CostItem> rows;
  };
  struct Pair {
    Load load;
    std::int32_t closed = 0;
    std::int32_t unused = 0;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
  };
  // The pods that a domain of the deepest level got.
  struct Share {
    Vertex domain = kRoot;
    Load load;
    std::uint32_t begin = 0;  // into spread_.leaves
    std::uint32_t end = 0;
  };
  // Pods that have a place but no segment yet, as leaves in depth-first order.
  struct Loose {
    std::vector<Vertex> full;
    std::vector<Vertex> first;
    std::vector<Vertex> partial;
  };
  using Kind = std::tuple<int, std::uint64_t, std::int32_t, std::int32_t, Vertex>;

  [[nodiscard]] Load target() const;
  [[nodiscard]] std::int32_t closes(const Load& load) const;
  [[nodiscard]] std::int32_t open_sorts(const Load& load) const;
  [[nodiscard]] std::int64_t slots_at(int level) const;
  [[nodiscard]] std::int64_t most_closed() const;
  [[nodiscard]] std::int64_t fewest_unused() const;
  bool attempt(std::int64_t allowance);
  const Table& table(Vertex v);
  void fill_deepest(Vertex v, Table& table);
  void fill_above(Vertex v, Table& table);
  void add_state(Table& table, const State& state, ConstCostRow row) const;
  // What the children from the i-th on can do together; back() is nothing.
  std::vector<Table> suffixes(Vertex v);
  void merge(const Table& a, const Table& b, Table& into);
  [[nodiscard]] ConstCostRow row_of(const Table& table, const State& state) const;
  [[nodiscard]] static const State* find(const Table& table, const Load& load);
  void give(Vertex v, const Load& load);
  void deal_share(const Share& share, Loose& loose) const;
  Loose close_segments(Vertex v, Solution& solution) const;
  void close_at(Loose& loose, Solution& solution) const;

  Closed& closed_;
  const CapacityView* view_ = nullptr;
  const Tree* tree_ = nullptr;
  const Problem* problem_ = nullptr;
  Vertex region_ = kRoot;
  Levels levels_;
  Deadline deadline_;
  int open_ = 0;  // segments may be open (have pods elsewhere) below this level
  std::int64_t most_unused_ = 0;
  std::int64_t most_open_ = 0;  // open segments at one level from the closing one up
  std::map<Kind, Table> tables_;
  std::vector<Pair> pairs_;
  std::vector<CostItem> row_;
  std::int64_t climbed_ = 0;
  bool solved_ = false;
  bool late_ = false;
  Spread spread_;
  std::vector<Share> shares_;
};

}  // namespace toposeg::engine
