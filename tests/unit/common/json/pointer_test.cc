#include "common/json/pointer.h"

#include "common/json/index.h"
#include "unit/catch.h"

namespace toposeg::json {
namespace {

const Document kRoot =
    Document::parse(R"({"a":{"b/c":{"d~e":1}},"l":[10,{"x":"y"}],"n":null,"":{"":2},"0":"zero"})");

TEST_CASE("slash_and_tilde_of_a_key_are_escaped") {
  CHECK(escape("kai.scheduler/segment-size") == "kai.scheduler~1segment-size");
  CHECK(escape("a~b/c") == "a~0b~1c");
  CHECK(escape("~1") == "~01");
  CHECK(to_pointer({"metadata", "annotations", "a/b"}) == "/metadata/annotations/a~1b");
  CHECK(to_pointer({}).empty());
  CHECK(to_pointer({""}) == "/");
}

TEST_CASE("a_pointer_read_back_gives_the_same_path") {
  for (const Path& path :
       {Path{}, Path{""}, Path{"a", "", "b"}, Path{"~", "/", "~1", "~0/"}, Path{"0", "-"}}) {
    CHECK(parse_pointer(to_pointer(path)) == path);
  }
}

TEST_CASE("a_text_that_is_no_pointer_is_told") {
  CHECK_FALSE(parse_pointer("a"));
  CHECK_FALSE(parse_pointer("/~"));
  CHECK_FALSE(parse_pointer("/~2"));
  CHECK_FALSE(parse_pointer("/a~/b"));
}

TEST_CASE("a_path_is_written_as_people_write_fields") {
  CHECK(to_field({"spec", "containers", "0", "name"}) == "spec.containers[0].name");
  CHECK(to_field({"metadata", "annotations", "kai.scheduler/topology"}) ==
        R"(metadata.annotations["kai.scheduler/topology"])");
  CHECK(to_field({"a", "", "b\n"}) == R"(a[""]["b\n"])");
  CHECK(to_field({"07", "x"}) == "07.x");
  CHECK(to_field({}).empty());
}

TEST_CASE("only_plain_decimal_numbers_are_array_indices") {
  CHECK(parse_index("0") == 0U);
  CHECK(parse_index("12") == 12U);
  for (const char* text : {"", "-", "-1", "+1", "01", "1a", "1 ", "0x1", "99999999999999999999"}) {
    INFO(text);
    CHECK_FALSE(parse_index(text));
  }
}

TEST_CASE("a_value_is_found_through_objects_and_arrays") {
  CHECK(*at(kRoot, {"a", "b/c", "d~e"}) == 1);
  CHECK(*at(kRoot, {"l", "1", "x"}) == "y");
  CHECK(*at(kRoot, {"", ""}) == 2);
  CHECK(*at(kRoot, {"0"}) == "zero");
  CHECK(at(kRoot, {}) == &kRoot);
  CHECK(at(kRoot, {"n"})->is_null());
}

TEST_CASE("a_way_that_ends_early_leads_to_nothing") {
  CHECK(at(kRoot, {"missing"}) == nullptr);
  CHECK(at(kRoot, {"n", "x"}) == nullptr);
  CHECK(at(kRoot, {"l", "2"}) == nullptr);
  CHECK(at(kRoot, {"l", "-"}) == nullptr);
  CHECK(at(kRoot, {"l", "01"}) == nullptr);
  CHECK(at(kRoot, {"l", "x"}) == nullptr);
  CHECK(at(kRoot, {"l", "1", "x", "z"}) == nullptr);
}

TEST_CASE("members_and_texts_are_read_without_asking_first") {
  CHECK(member(&kRoot, "n")->is_null());
  CHECK(member(&kRoot, "missing") == nullptr);
  CHECK(member(nullptr, "a") == nullptr);
  CHECK(member(&kRoot["l"], "0") == nullptr);
  CHECK(member(&kRoot["0"], "a") == nullptr);
  CHECK(*text(&kRoot["0"]) == "zero");
  CHECK(text(&kRoot["n"]) == nullptr);
  CHECK(text(nullptr) == nullptr);
}

TEST_CASE("the_text_at_a_path_is_empty_where_there_is_none") {
  const Document document = {{"metadata", {{"name", "train"}, {"generation", 2}}}};
  CHECK(text_at(document, {"metadata", "name"}) == "train");
  CHECK(text_at(document, {"metadata", "generation"}).empty());
  CHECK(text_at(document, {"metadata", "uid"}).empty());
}

}  // namespace
}  // namespace toposeg::json
