#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/kube/read.h"
#include "unit/catch.h"

namespace toposeg::kube {
namespace {

using json::Document;

std::vector<Document> documents_of(std::string_view text) {
  auto documents = read_documents(text, "job.yaml");
  if (!documents) FAIL("not read: " + documents.error().text());
  return *std::move(documents);
}

Document one(std::string_view text) {
  auto documents = documents_of(text);
  REQUIRE(documents.size() == 1);
  return documents.front();
}

Error refused(std::string_view text, const json::Limits& limits = {}) {
  const auto documents = read_documents(text, "job.yaml", limits);
  if (documents) FAIL("read as " + Document(*documents).dump());
  return documents.error();
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST_CASE("norway_and_other_yaml_1_1_booleans_stay_text") {
  CHECK(one("[no, yes, on, off, y, n, NO, Yes]") ==
        Document({"no", "yes", "on", "off", "y", "n", "NO", "Yes"}));
  CHECK(one("{a: no, b: [1,],}") == Document({{"a", "no"}, {"b", {1}}}));
  CHECK(one("a: [true, True, TRUE, false, False, FALSE]").at("a") ==
        Document({true, true, true, false, false, false}));
}

TEST_CASE("quoted_and_block_scalars_stay_text_whatever_they_look_like") {
  CHECK(one(R"(a: ["1", '2.5', "true", "null", "~", ""])").at("a") ==
        Document({"1", "2.5", "true", "null", "~", ""}));
  CHECK(one("a: |\n  12\nb: 12\n") == Document({{"a", "12\n"}, {"b", 12}}));
}

TEST_CASE("numbers_are_typed_by_the_core_schema") {
  CHECK(one("- 0o17\n- 0x1F\n- -7\n- +7\n- 0123\n- 18446744073709551615\n- -9223372036854775808\n") ==
        Document({15, 31, -7, 7, 123, UINT64_MAX, INT64_MIN}));
  CHECK(one("- 1.5\n- .5\n- 2.\n- 1e3\n- -1.5E-1\n") == Document({1.5, 0.5, 2.0, 1000.0, -0.15}));
  CHECK(one("- 1.2.3\n- 0x\n- 0o8\n- 1_000\n- -0x1F\n- .\n- 1e\n- 1:30\n- 500m\n- 16Gi\n") ==
        Document({"1.2.3", "0x", "0o8", "1_000", "-0x1F", ".", "1e", "1:30", "500m", "16Gi"}));
}

TEST_CASE("numbers_without_a_json_form_are_refused_with_their_line") {
  const Error large = refused("a: 1\nb: 18446744073709551616\n");
  CHECK(large.where == "job.yaml:2");
  CHECK(large.message == "18446744073709551616 is outside the 64-bit integers; quote it if text is meant");
  CHECK(holds(refused("a: -9223372036854775809").message, "outside the 64-bit integers"));
  CHECK(holds(refused("a: 0x1FFFFFFFFFFFFFFFF").message, "outside the 64-bit integers"));
  CHECK(holds(refused("a: .inf").message, ".inf has no JSON form"));
  CHECK(holds(refused("a: -.INF").message, "-.INF has no JSON form"));
  CHECK(holds(refused("a: .nan").message, ".nan has no JSON form"));
  CHECK(holds(refused("a: 1e999").message, "too large or too small"));
}

TEST_CASE("null_is_written_in_four_ways") {
  CHECK(one("a: ~\nb: null\nc:\nd: NULL\ne: nil\n") ==
        Document({{"a", nullptr}, {"b", nullptr}, {"c", nullptr}, {"d", nullptr}, {"e", "nil"}}));
}

TEST_CASE("core_tags_are_honoured_and_others_refused") {
  CHECK(one("a: !!str 12\nb: !!int 0x10\nc: !!float 3\nd: ! 5\ne: !!map {}\nf: !!seq []\n") ==
        Document({{"a", "12"},
                  {"b", 16},
                  {"c", 3},
                  {"d", "5"},
                  {"e", Document::object()},
                  {"f", Document::array()}}));
  CHECK(holds(refused("a: !!binary aGk=").message, "tag \"tag:yaml.org,2002:binary\" is not read"));
  CHECK(holds(refused("a: !secret x").message, "tag \"!secret\" is not read"));
  CHECK(holds(refused("a: !!set {x}").message, "is not read on a map"));
  CHECK(holds(refused("a: !!int five").message, "\"five\" is no int"));
}

TEST_CASE("a_key_given_twice_is_refused_with_the_line_of_the_second") {
  const Error yaml = refused("spec:\n  replicas: 1\n  size: 2\n  replicas: 3\n");
  CHECK(yaml.code == Code::kInvalid);
  CHECK(yaml.text() == "job.yaml:4: key \"replicas\" appears twice in one object");
  CHECK(refused("{\n\"a\": 1,\n\"a\": 2}").text() == "job.yaml:3: key \"a\" appears twice in one object");
  CHECK(one("a: {x: 1}\nb: {x: 2}").size() == 2);
}

TEST_CASE("keys_are_text_and_only_text") {
  CHECK(one("1: a\ntrue: b\n") == Document({{"1", "a"}, {"true", "b"}}));
  CHECK(holds(refused("? [a]\n: b\n").message, "a key is a map or a list"));
  CHECK(holds(refused("~: b\n").message, "a key is null"));
}

TEST_CASE("documents_come_in_order_and_empty_ones_are_skipped") {
  CHECK(documents_of("---\na: 1\n---\n# nothing\n---\nb: 2\n...\n---\nc: 3\n") ==
        std::vector<Document>{{{"a", 1}}, {{"b", 2}}, {{"c", 3}}});
  CHECK(documents_of("").empty());
  CHECK(documents_of("# only a comment\n").empty());
  CHECK(documents_of("{\"a\": 1}\n{\"b\": 2}\n---\n{\"c\": 3}") ==
        std::vector<Document>{{{"a", 1}}, {{"b", 2}}, {{"c", 3}}});
}

TEST_CASE("lists_are_flattened_and_typed_ones_give_their_items_a_kind") {
  CHECK(documents_of("kind: List\nitems:\n- kind: A\n- kind: List\n  items:\n  - kind: B\n---\nkind: C\n") ==
        std::vector<Document>{{{"kind", "A"}}, {{"kind", "B"}}, {{"kind", "C"}}});
  CHECK(documents_of(R"({"apiVersion": "v1", "items": [{"x": 1}], "kind": "PodList"})") ==
        std::vector<Document>{{{"x", 1}, {"kind", "Pod"}, {"apiVersion", "v1"}}});
  CHECK(documents_of("kind: AllowList\nspec: 1\n").size() == 1);
}

TEST_CASE("a_character_that_begins_no_value_ends_the_reading_with_its_line") {
  CHECK(refused(", a").text() == "job.yaml:1: not valid YAML: no value begins like this");
  CHECK(refused("a: 1\n---\n# more\n, b\n").text() ==
        "job.yaml:4: not valid YAML: no value begins like this");
  CHECK(refused("- a\n, {b: 1}").text() == "job.yaml:2: not valid YAML: no value begins like this");
}

TEST_CASE("aliases_and_merge_keys_are_expanded") {
  CHECK(one("base: &b {x: 1, y: 2}\nuse: *b\n").at("use") == Document({{"x", 1}, {"y", 2}}));
  const Document merged = one("a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc:\n  <<: [*a, *b]\n  x: 9\n");
  CHECK(merged.at("c") == Document({{"x", 9}, {"y", 1}, {"z", 2}}));
  CHECK(one("a: &a {x: 1}\nc:\n  x: 9\n  <<: *a\n").at("c") == Document({{"x", 9}}));
  CHECK(one("'<<': {x: 1}\n") == Document({{"<<", {{"x", 1}}}}));
  CHECK(holds(refused("a:\n  <<: 5\n").message, "the merge key << takes a map"));
  CHECK(holds(refused("a: *nobody\n").message, "not valid YAML"));
  CHECK(holds(refused("a: &a [*a]\n").message, "inside the value that it names"));
}

TEST_CASE("an_anchor_bomb_is_too_large") {
  std::string bomb = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n";
  for (int i = 1; i < 12; ++i) {
    bomb += fmt::format("a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", i, i - 1);
  }
  const Error error = refused(bomb);
  CHECK(error.code == Code::kTooLarge);
  CHECK(holds(error.message, "grows over 7340032 bytes as its aliases are expanded"));
  CHECK(holds(error.where, "job.yaml:"));
}

TEST_CASE("deep_nesting_is_too_large_in_both_forms") {
  const std::string deep(100, '[');
  const std::string shut(100, ']');
  CHECK(refused(deep + shut).code == Code::kTooLarge);
  CHECK(refused("a: " + deep + shut).text() == "job.yaml:1: nested deeper than 64 levels");
  CHECK(refused("- " + std::string(3'000, '[') + std::string(3'000, ']')).code == Code::kTooLarge);
  CHECK(one(std::string(64, '[') + std::string(64, ']')).is_array());
  std::string ladder = "- &a0 [[[[[[[[x]]]]]]]]\n";
  for (int i = 1; i < 10; ++i) ladder += fmt::format("- &a{} [[[[[[[[*a{}]]]]]]]]\n", i, i - 1);
  CHECK(holds(refused(ladder).message, "nested deeper than 64 levels by an alias"));
}

TEST_CASE("text_over_the_limit_is_too_large") {
  const Error error = refused("a: 12345678", json::Limits{.bytes = 10});
  CHECK(error.code == Code::kTooLarge);
  CHECK(error.text() == "job.yaml: the text has 11 bytes; at most 10 are read");
}

TEST_CASE("syntax_errors_carry_the_line") {
  CHECK(refused("a: 1\n\tb: 2\n").where.starts_with("job.yaml:"));
  const Error bracket = refused("a: 1\nb: [1, 2\nc: 3\n");
  CHECK(holds(bracket.message, "not valid YAML: "));
  CHECK(refused("a: 1\nb: c: d\n").where == "job.yaml:2");
  const Error cut = refused("{\"a\": 1,\n\"b\": [1, 2");
  CHECK(cut.where == "job.yaml:2");
  CHECK(holds(cut.message, "not valid JSON: while parsing array - unexpected end of input"));
  CHECK(refused("{\"a\": 1}\n\nxyz").text() ==
        "job.yaml:3: after a JSON document only another one may follow");
}

TEST_CASE("byte_order_marks_and_carriage_returns_are_fine") {
  CHECK(one("\xEF\xBB\xBF"
            "a: 1\r\nb: x\r\n") == Document({{"a", 1}, {"b", "x"}}));
  CHECK(one("\xEF\xBB\xBF\r\n{\"a\": 1}\r\n") == Document({{"a", 1}}));
}

TEST_CASE("nul_bytes_and_invalid_utf_8_are_refused_with_their_line") {
  using namespace std::string_view_literals;
  CHECK(refused("a: 1\nb: x\0y\n"sv).text() == "job.yaml:2: a NUL byte; text in UTF-8 is wanted");
  CHECK(refused("{\"a\": 1}\n\0{}"sv).text() == "job.yaml:2: a NUL byte; text in UTF-8 is wanted");
  CHECK(refused("a: 1\nb: \"x\xff\"\n").text() == "job.yaml:2: \"x\\xff\" is not valid UTF-8");
  CHECK(refused("{\"a\":\n \"x\xff\"}").text() == "job.yaml:2: the text is not valid UTF-8");
  CHECK(one("a: \xC3\xA4\n").at("a") == "\xC3\xA4");
}

}  // namespace
}  // namespace toposeg::kube
