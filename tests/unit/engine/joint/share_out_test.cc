#include "engine/joint/share_out.h"

#include "unit/catch.h"
#include "unit/engine/joint/ground.h"

namespace toposeg::engine {
namespace {

// Racks 1, 2, 3 with room for 4, 2 and 2.
struct Bench {
  Ground ground{{{node(4, 0)}, {node(2, 0)}, {node(2, 0)}}};
  std::vector<std::int32_t> room{8, 4, 2, 2, 4, 2, 2};
  ShareOut shares{*ground.tree, 0, room};
};

std::vector<PackingRow> hosts_each(std::vector<std::int64_t> hosts) {
  std::vector<PackingRow> rows{PackingRow{}};
  for (const std::int64_t count : hosts) rows.push_back({count, count, count});
  return rows;
}

TEST_CASE("fewest domains come before room, what is summed before all") {
  Bench bench;
  bench.shares.set(1, hosts_each({1, 2}));
  bench.shares.set(2, hosts_each({1}));
  bench.shares.set(3, hosts_each({1}));
  bench.shares.run(3);
  REQUIRE(bench.shares.capacity() == 3);
  const auto two = bench.shares.shares(2);
  REQUIRE(two.size() == 1);
  CHECK(two[0].domain == 1);
  CHECK(bench.shares.row(2) == std::vector<std::int64_t>{2, 1, 2, 2, 4});
  bench.shares.set(1, hosts_each({1, 3}));
  bench.shares.run(3);
  const auto apart = bench.shares.shares(2);
  REQUIRE(apart.size() == 2);
  CHECK(apart[0].domain == 2);
  CHECK(apart[1].domain == 3);
}

TEST_CASE("no more are shared out than there is room for") {
  Bench bench;
  bench.shares.set(2, hosts_each({1}));
  bench.shares.run(3);
  CHECK(bench.shares.capacity() == 1);
  CHECK(bench.shares.shares(0).empty());
}

}  // namespace
}  // namespace toposeg::engine
