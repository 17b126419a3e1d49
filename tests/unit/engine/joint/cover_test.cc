#include "engine/joint/cover.h"

#include "unit/catch.h"

namespace toposeg::engine {
namespace {

TEST_CASE("the cheapest hosts that take all pods are chosen") {
  const std::vector<PodCounts> large{{4, 0}, {2, 1}};
  const std::vector<PodCounts> small{{1, 1}};
  const std::vector<CoverHost> hosts{{small, 1}, {large, 5}, {large, 3}, {small, 1}};
  const CoverTable table({4, 2}, hosts);
  CHECK(table.price() == 5);
  const std::optional<CoverAnswer> answer = table.answer();
  REQUIRE(answer.has_value());
  CHECK(answer->price == 5);
  PodCounts placed{0, 0};
  std::int64_t price = 0;
  for (const CoverPick& pick : answer->picks) {
    price += hosts[pick.host].price;
    for (std::size_t s = 0; s < placed.size(); ++s) placed[s] += pick.pods[s];
  }
  CHECK(price == 5);
  CHECK(placed == PodCounts{4, 2});
}

TEST_CASE("hosts that do not take all pods have no price") {
  const std::vector<PodCounts> mixtures{{1, 0}, {0, 1}};
  const std::vector<CoverHost> hosts{{mixtures, 1}, {mixtures, 1}};
  const CoverTable table({2, 1}, hosts);
  CHECK(table.price() == CoverTable::kNever);
  CHECK_FALSE(table.answer().has_value());
  CHECK(table.price(0, {1, 1}) == 2);
  CHECK(table.price(1, {1, 0}) == 1);
  CHECK(table.price(1, {1, 1}) == CoverTable::kNever);
}

TEST_CASE("a host is used once") {
  const std::vector<PodCounts> mixtures{{2}};
  const std::vector<CoverHost> hosts{{mixtures, 1}};
  CHECK(CoverTable({2}, hosts).price() == 1);
  CHECK(CoverTable({4}, hosts).price() == CoverTable::kNever);
}

}  // namespace
}  // namespace toposeg::engine
