#include "engine/picture/fold.h"

#include "rig.h"
#include "unit/catch.h"

namespace toposeg::picture {
namespace {

TEST_CASE("too many hosts become cells of their closest domains, with their shares together") {
  Scene scene = test::scene(2, 3, 4);
  scene.parties.resize(2);
  auto& hosts = scene.domains[0].children[1].hosts;
  hosts[0].used = 1;
  hosts[1].guests = {{1, 1, "0"}};
  hosts[2].guests = {{1, 0.5, "1"}};
  fold(scene, 10);
  CHECK(host_count(scene) == 6);
  REQUIRE(scene.domains[0].hosts.size() == 3);
  const Host& cell = scene.domains[0].hosts[1];
  CHECK(cell.name == "rack-1");
  CHECK(cell.used == 0.25);
  REQUIRE(cell.guests.size() == 1);
  CHECK(cell.guests[0].party == 1);
  CHECK(cell.guests[0].share == 0.375);
  CHECK(cell.guests[0].pods == "2 hosts");
  CHECK(scene.notes.size() == 2);
}

TEST_CASE("a cell is unhealthy only when all of its hosts are") {
  Scene scene = test::scene(1, 2, 2);
  for (Host& host : scene.domains[0].children[0].hosts) host.health = Health::kUnhealthy;
  scene.domains[0].children[1].hosts[0].health = Health::kUnhealthy;
  fold(scene, 3);
  CHECK(scene.domains[0].hosts[0].health == Health::kUnhealthy);
  CHECK(scene.domains[0].hosts[1].health == Health::kWell);
}

TEST_CASE("few hosts are left as they are, and the top level is never folded") {
  Scene scene = test::scene(2, 3, 4);
  fold(scene, 24);
  CHECK(host_count(scene) == 24);
  CHECK(scene.notes.size() == 1);
  fold(scene, 1);
  CHECK(scene.domains.size() == 2);
  CHECK(host_count(scene) == 6);
}

}  // namespace
}  // namespace toposeg::picture
