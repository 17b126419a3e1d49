#include "engine/joint/packing.h"

#include <algorithm>

#include "engine/joint/stock.h"
#include "unit/catch.h"
#include "unit/engine/joint/ground.h"

namespace toposeg::engine {
namespace {

constexpr Vertex kRack = 1;

// Packs groups of workers (a GPU each) and leaders (a CPU each) into one rack.
struct Bench {
  Ground ground;
  std::vector<kube::PodSpec> shapes{shape(1, 0), shape(0, 1)};
  Stock stock;
  std::vector<std::int32_t> room;
  Packer packer;

  Bench(const std::vector<kube::ResourceList>& nodes, PodCounts wanted, int groups)
      : ground({nodes}),
        stock(*ground.tree, ground.books, shapes),
        room(measured()),
        packer(*ground.tree, stock, {0, 1}, std::move(wanted), room, groups) {}
  std::vector<std::int32_t> measured() {
    const auto view = ground.source()(shapes[0], std::nullopt);
    std::vector<std::int32_t> all;
    for (Vertex v = 0; v < ground.tree->size(); ++v) all.push_back(view->capacity(v));
    return all;
  }
  PackingTable refined(int groups) {
    PackingTable table = packer.table(kRack);
    std::int64_t steps = 10'000;
    for (int round = 0; round < 2; ++round) packer.refine(kRack, groups, table, steps);
    return table;
  }
};

int pods_of(const std::vector<PackedGroup>& packed, std::size_t shape) {
  int pods = 0;
  for (const PackedGroup& group : packed) {
    for (const PackedGroup::Host& host : group.hosts) pods += host.pods[shape];
  }
  return pods;
}

TEST_CASE("one group is packed on the fewest hosts with least room") {
  Bench bench({node(2, 0), node(4, 1), node(3, 1), node(3, 0)}, {3, 1}, 1);
  const PackingTable table = bench.packer.table(kRack);
  REQUIRE(table.found.size() == 2);
  CHECK(table.found[1] == PackingRow{1, 1, 3});
  CHECK(table.exact(1));
  const std::vector<PackedGroup> packed = bench.packer.pack(kRack, 1);
  REQUIRE(packed.size() == 1);
  REQUIRE(packed[0].hosts.size() == 1);
  CHECK(packed[0].hosts[0].leaf == bench.ground.leaf("r0n2"));
  CHECK(packed[0].hosts[0].pods == PodCounts{3, 1});
}

TEST_CASE("a group that does not fit has no packing") {
  Bench bench({node(2, 0), node(1, 0)}, {3, 1}, 1);
  CHECK(bench.packer.hosts_at_least(kRack) == -1);
  CHECK(bench.packer.table(kRack).least.size() == 1);
}

TEST_CASE("groups share hosts where each is on as few as alone") {
  // Two hosts for each; altogether three, the one in the middle for both.
  Bench bench({node(2, 1), node(2, 2), node(2, 1)}, {3, 1}, 2);
  const PackingTable table = bench.refined(2);
  REQUIRE(table.exact(2));
  CHECK(table.least[2] == PackingRow{4, 3, 6});
  const std::vector<PackedGroup> packed = bench.packer.pack(kRack, 2);
  CHECK(packed[0].hosts.size() == 2);
  CHECK(packed[1].hosts.size() == 2);
  CHECK(pods_of(packed, 0) == 6);
  CHECK(pods_of(packed, 1) == 2);
}

TEST_CASE("where groups cannot all be on as few hosts as alone, more are needed") {
  // Alone a group takes the large host; two groups do not.
  Bench bench({node(3, 1), node(2, 1), node(1, 0)}, {3, 1}, 2);
  const PackingTable table = bench.refined(2);
  CHECK(table.least[1].summed == 1);
  REQUIRE(table.found.size() == 3);
  CHECK(table.found[2].summed == 3);
  CHECK(table.least[2].summed == 3);
}

TEST_CASE("packing leaves the stock as it was") {
  Bench bench({node(4, 1), node(4, 2)}, {2, 1}, 3);
  (void)bench.refined(3);
  (void)bench.packer.pack(kRack, 2);
  CHECK(bench.stock.room(0, bench.ground.leaf("r0n0")) == 4);
  CHECK(bench.stock.room(1, bench.ground.leaf("r0n1")) == 2);
}

}  // namespace
}  // namespace toposeg::engine
