#include "engine/picture/layout.h"

#include <algorithm>

#include "rig.h"
#include "unit/catch.h"

namespace toposeg::picture {
namespace {

bool inside(const Box& inner, const Box& outer) {
  return inner.x > outer.x && inner.y > outer.y && inner.x + inner.width < outer.x + outer.width &&
         inner.y + inner.height < outer.y + outer.height;
}

bool apart(const Box& a, const Box& b) {
  return a.x + a.width < b.x || b.x + b.width < a.x || a.y + a.height < b.y || b.y + b.height < a.y;
}

std::vector<Box> contents(const PlacedDomain& domain) {
  std::vector<Box> boxes = domain.hosts;
  for (const PlacedDomain& child : domain.children) boxes.push_back(child.box);
  return boxes;
}

void check_nested(const PlacedDomain& domain) {
  const std::vector<Box> boxes = contents(domain);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    REQUIRE(inside(boxes[i], domain.box));
    for (std::size_t j = 0; j < i; ++j) REQUIRE(apart(boxes[i], boxes[j]));
  }
  for (const PlacedDomain& child : domain.children) check_nested(child);
}

TEST_CASE("boxes lie inside the box of their domain and beside one another") {
  for (const int hosts : {1, 3, 18}) {
    const Scene scene = test::scene(3, 8, hosts);
    const Layout layout = lay_out(scene, {});
    REQUIRE(layout.domains.size() == 3);
    for (const PlacedDomain& domain : layout.domains) {
      check_nested(domain);
      CHECK(domain.box.x + domain.box.width <= layout.width + 0.01);
      CHECK(domain.box.y + domain.box.height <= layout.height + 0.01);
    }
    CHECK(apart(layout.domains[0].box, layout.domains[1].box));
  }
}

TEST_CASE("hosts outside have a box of their own at the end") {
  const Scene scene = test::scene(1, 1, 2);
  Domain outside;
  outside.name = "outside";
  outside.hosts.assign(5, test::host("stray"));
  const Layout layout = lay_out(scene, outside);
  REQUIRE(layout.domains.size() == 2);
  CHECK(layout.domains.back().domain == &outside);
  CHECK(layout.domains.back().hosts.size() == 5);
}

TEST_CASE("the more hosts the smaller, and names only where there are few") {
  CHECK(detail_for(24).names);
  CHECK(!detail_for(5000).names);
  CHECK(detail_for(5000).font == 0);
  for (const std::size_t hosts : {10, 100, 400, 1000, 3000, 8000, 20000}) {
    CHECK(detail_for(hosts).width > detail_for(hosts * 10).width);
  }
}

TEST_CASE("a picture of 5,000 hosts fits on a screen and is about as wide as one") {
  const Scene scene = test::scene(36, 8, 18);
  const Layout layout = lay_out(scene, {});
  CHECK(layout.width < 1800);
  CHECK(layout.height < 1300);
  CHECK(layout.width / layout.height > 1);
  CHECK(layout.width / layout.height < 2.5);
}

TEST_CASE("nothing at all has no size") {
  const Layout layout = lay_out({}, {});
  CHECK(layout.domains.empty());
  CHECK(layout.width == 0);
}

}  // namespace
}  // namespace toposeg::picture
