#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/cli/index_ranges.h"
#include "engine/cli/table.h"
#include "engine/cli/yaml_text.h"
#include "unit/catch.h"

namespace toposeg::cli {
namespace {

TEST_CASE("neighbouring indices become a range") {
  CHECK(index_ranges({}) == "<none>");
  CHECK(index_ranges({5}) == "5");
  CHECK(index_ranges({3, 0, 1, 2}) == "0-3");
  CHECK(index_ranges({0, 1, 4, 7, 8}) == "0-1,4,7-8");
}

TEST_CASE("columns are as wide as their widest cell and empty cells say none") {
  Table table({{"NAME"}, {"FREE", true}, {"NOTE"}});
  table.add({{"züri"}, {"12"}, {""}});
  table.add({{"a-longer-name"}, {"3"}, {"x", Paint::kBad}});
  std::ostringstream plain;
  table.print(plain, false);
  CHECK(plain.str() ==
        "NAME           FREE  NOTE\n"
        "züri             12  <none>\n"
        "a-longer-name     3  x\n");
  std::ostringstream coloured;
  table.print(coloured, true);
  CHECK(coloured.str().ends_with("\x1b[31mx\x1b[0m\n"));
}

TEST_CASE("yaml quotes what could be taken for something else") {
  const auto document = nlohmann::ordered_json::parse(
      R"({"text":"plain","no":"no","number":"12","empty":"","list":[{"a":1,"b":[]},[true,null]],"map":{"x":{"y":"z: z"}}})");
  std::ostringstream out;
  write_yaml(out, document);
  CHECK(out.str() ==
        "text: plain\n\"no\": \"no\"\nnumber: \"12\"\nempty: \"\"\nlist:\n- a: 1\n  b: []\n- - true\n  - "
        "null\nmap:\n  x:\n"
        "    \"y\": \"z: z\"\n");
}

}  // namespace
}  // namespace toposeg::cli
