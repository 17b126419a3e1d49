#include "engine/picture/xml_text.h"

#include "unit/catch.h"

namespace toposeg::picture {
namespace {

TEST_CASE("markup in a name stays text") {
  CHECK(xml_text("<script>alert('x') & \"y\"</script>") ==
        "&lt;script&gt;alert(&#39;x&#39;) &amp; &quot;y&quot;&lt;/script&gt;");
  CHECK(xml_text("rack-a.1_2") == "rack-a.1_2");
  CHECK(xml_text("räck") == "räck");
}

TEST_CASE("what XML cannot hold is replaced") {
  CHECK(xml_text(std::string("a\x01"
                             "b\x7f")) ==
        "a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD");
  CHECK(xml_text("a\xff") == "a\xEF\xBF\xBD");
  CHECK(xml_text("\xEF\xBF\xBF") == "\xEF\xBF\xBD");
  CHECK(xml_text("a\nb\tc") == "a\nb\tc");
}

TEST_CASE("a name that is too long keeps its end") {
  CHECK(tail("rack-0123", 9) == "rack-0123");
  CHECK(tail("rack-0123", 5) == "…0123");
  CHECK(tail("räck-ä", 2) == "…ä");
  CHECK(tail("rack-0123", 1).empty());
}

}  // namespace
}  // namespace toposeg::picture
