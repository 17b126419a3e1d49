// Shares a number of things that are alike out over the domains of one level, at the least cost: a knapsack
// over the tree whose costs are rows that compare lexicographically and add up.
//
//   row[0]                  what counts before all domains
//   row[1 .. level+1]       domains used, top level first
//   row[level+2, level+3]   what is used inside the domains, and its room
//   row[level+4 ..]         room of the domains used, the closest level first
#pragma once

#include <cstdint>
#include <vector>

#include "engine/joint/packing.h"
#include "engine/topology/tree.h"

namespace toposeg::engine {

class ShareOut {
 public:
  // `level`: of the domains; `room`: by vertex. Both must outlive the use.
  ShareOut(const Tree& tree, int level, const std::vector<std::int32_t>& room)
      : tree_(tree), level_(level), room_(room), tables_(tree.size()), taken_(tree.size()) {}

  // What k things cost in the domain, from k = 0 on; without a call it takes none.
  void set(Vertex domain, const std::vector<PackingRow>& rows);
  // Fills in the tables for at most `most` things. O(domains * most * things in a domain * levels).
  void run(int most);

  // How many there is room for, at most `most`.
  [[nodiscard]] int capacity() const { return static_cast<int>(tables_[kRoot].size()) - 1; }
  [[nodiscard]] const std::vector<std::int64_t>& row(int things) const {
    return tables_[kRoot][static_cast<std::size_t>(things)];
  }
  // How many each domain gets, in path order, those that get none left out; the first of equals.
  struct Share {
    Vertex domain = kRoot;
    int things = 0;
  };
  [[nodiscard]] std::vector<Share> shares(int things) const;

 private:
  using Row = std::vector<std::int64_t>;
  using Table = std::vector<Row>;  // by number of things

  [[nodiscard]] std::size_t width() const { return 2 * static_cast<std::size_t>(level_) + 5; }
  void gather(Vertex v, int most);
  void add_own(Vertex v, Row& row) const;
  void share(Vertex v, int things, std::vector<Share>& into) const;

  const Tree& tree_;
  int level_;
  const std::vector<std::int32_t>& room_;
  std::vector<Table> tables_;            // by vertex at or above the level
  std::vector<std::vector<int>> taken_;  // by vertex: of k things for it and its elder siblings, its own
};

}  // namespace toposeg::engine
