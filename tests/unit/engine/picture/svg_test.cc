#include "engine/picture/svg.h"

#include "engine/picture/page.h"
#include "engine/picture/palette.h"
#include "rig.h"
#include "unit/catch.h"

namespace toposeg::picture {
namespace {

using Catch::Matchers::Contains;
using test::count;

std::string svg(const Scene& scene) {
  std::ostringstream out;
  write_svg(out, std::vector{scene});
  return out.str();
}

std::string page(const Scene& scene) {
  std::ostringstream out;
  write_page(out, std::vector{scene});
  return out.str();
}

Scene with_segments() {
  Scene scene = test::scene(1, 2, 2);
  scene.parties = {{"0", "train segment 0", "4 pods in block-0/rack-0", true, false},
                   {"1", "train segment 1", "waiting; no rack can hold 4 pods", false, false},
                   {"", "train master", "in no segment", true, true}};
  auto& hosts = scene.domains[0].children[0].hosts;
  hosts[0].guests = {{0, 0.5, "0-1"}, {2, 0.25, "0"}};
  hosts[1].used = 0.5;
  hosts[1].guests = {{0, 0.5, "2-3"}};
  return scene;
}

TEST_CASE("every host and domain has its shape and a text for the one who hovers") {
  const std::string picture = svg(test::scene(2, 3, 4));
  CHECK(count(picture, "<g class=\"h\"") == 24);
  CHECK(count(picture, "<g class=\"b\"") == 8);
  CHECK(count(picture, "<title>host-3</title>") == 6);
  CHECK_THAT(picture, Contains("<title>rack rack-2</title>"));
}

TEST_CASE("a segment is drawn in its own look wherever it is, with its number and pods") {
  const std::string picture = svg(with_segments());
  CHECK(count(picture, "<rect class=\"p0\"") == 3);  // two hosts and the legend
  CHECK_THAT(picture, Contains("data-p=\"0 2\"") && Contains(">0: 0-1<"));
  CHECK_THAT(picture, Contains("train segment 0: 0-1"));
  CHECK_THAT(picture, Contains("train segment 0: 4 pods in block-0/rack-0"));
}

TEST_CASE("a segment that waits is in the legend with its reason and on no host") {
  const std::string picture = svg(with_segments());
  CHECK(count(picture, "class=\"wait\"") == 1);
  CHECK_THAT(picture, Contains("no rack can hold 4 pods"));
  CHECK(count(picture, "<rect class=\"p1\"") == 0);
}

TEST_CASE("hosts that take no pods look different, and the legend says how") {
  Scene scene = test::scene(1, 1, 4);
  auto& hosts = scene.domains[0].children[0].hosts;
  hosts[0].health = Health::kUnhealthy;
  hosts[1].health = Health::kTainted;
  hosts[2].used = 1;
  hosts[3].health = Health::kTainted;
  hosts[3].guests = {{0, 1, "0"}};  // it tolerates the taint
  scene.parties = {{"0", "train segment 0", "", true, false}};
  const std::string picture = svg(scene);
  CHECK(count(picture, "class=\"ill\"") == 2);
  CHECK(count(picture, "class=\"taint\"") == 2);
  CHECK_THAT(picture,
             Contains("cordoned or not ready") && Contains(">tainted<") && Contains("used by others"));
  const std::string well = svg(test::scene(1, 1, 4));
  CHECK_THAT(well,
             !Contains("cordoned or not ready") && !Contains(">tainted<") && !Contains("used by others"));
}

TEST_CASE("hosts outside the topology stand in a box that says so") {
  Scene scene = test::scene(1, 1, 2);
  CHECK_THAT(svg(scene), !Contains("outside the topology"));
  scene.outside = {test::host("stray")};
  scene.outside[0].note = "lacks the label rack";
  CHECK_THAT(svg(scene),
             Contains("outside the topology") && Contains("<title>stray\nlacks the label rack</title>"));
}

TEST_CASE("no name becomes markup") {
  const std::string hostile = R"("><script>alert(1)</script><img src='x' onerror=alert(1)>)";
  Scene scene = with_segments();
  scene.title = hostile;
  scene.notes = {hostile};
  scene.domains[0].name = hostile;
  scene.domains[0].note = hostile;
  scene.domains[0].children[0].hosts[0].name = hostile;
  scene.domains[0].children[0].hosts[0].note = hostile;
  scene.parties[0] = {hostile, hostile, hostile, true, false};
  scene.outside = {test::host(hostile)};
  const std::string picture = svg(scene);
  CHECK_THAT(picture, !Contains("<script") && !Contains("<img") && Contains("&lt;script&gt;"));
  CHECK(count(page(scene), "<script") == 1);  // its own
  CHECK_THAT(page(scene), !Contains("<img"));
}

TEST_CASE("28 segments look different from one another and the 29th begins again") {
  CHECK(look_class(0) != look_class(7));
  CHECK(look_class(27) != look_class(26));
  CHECK(look_class(28) == look_class(0));
  std::ostringstream style;
  write_style(style);
  for (std::size_t i = 0; i < 28; ++i) CHECK_THAT(style.str(), Contains("." + look_class(i) + "{"));
}

TEST_CASE("a long legend is cut and says by how much") {
  Scene scene = test::scene(1, 1, 1);
  for (int i = 0; i < 70; ++i) scene.parties.push_back({"", "segment", "", true, false});
  CHECK(count(svg(scene), "<g class=\"l\"") == 60);
  CHECK_THAT(svg(scene), Contains(">and 10 more<"));
  CHECK(count(page(scene), "<li ") == 70);
}

TEST_CASE("several scenes stand one below the other and count their segments on") {
  std::ostringstream out;
  write_svg(out, std::vector{with_segments(), with_segments()});
  CHECK(count(out.str(), "<g class=\"scene\"") == 2);
  CHECK_THAT(out.str(), Contains("data-p=\"3 5\""));
  CHECK(count(out.str(), "<svg") == 1);
}

TEST_CASE("the page forbids itself the network") {
  const std::string html = page(with_segments());
  CHECK_THAT(html, Contains("default-src 'none'"));
  CHECK(count(html, "http://") + count(html, "https://") == 1);  // the name of SVG's namespace
}

TEST_CASE("the same scene gives the same bytes") {
  CHECK(svg(with_segments()) == svg(with_segments()));
  CHECK(page(with_segments()) == page(with_segments()));
}

}  // namespace
}  // namespace toposeg::picture
