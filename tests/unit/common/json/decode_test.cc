#include "common/json/decode.h"

#include <cstdint>
#include <limits>
#include <string>

#include "unit/catch.h"

namespace toposeg::json {
namespace {

Error refused(std::string_view text, const Limits& limits = {}) {
  const auto document = decode(text, limits);
  if (document) return {Code::kInternal, "accepted: " + document->dump(), ""};
  return document.error();
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST_CASE("every_kind_of_value_is_read") {
  const auto document = decode(R"( {"a":[1,-2,2.5,"x\u00e9\n",true,false,null,{}],"b":{"c":[]}} )");
  REQUIRE(document);
  CHECK(document->dump() == R"({"a":[1,-2,2.5,"xé\n",true,false,null,{}],"b":{"c":[]}})");
  CHECK(decode("7") == Document(7));
  CHECK(decode("\"\"") == Document(""));
}

TEST_CASE("the_same_document_comes_out_as_from_the_library_itself") {
  const std::string text = R"([{"k":[[],[[1]],{"x":{"y":[{},{"z":"\ud83d\ude00"}]}}]},1e3,-0,0.1,[null]])";
  const auto document = decode(text);
  REQUIRE(document);
  CHECK(*document == Document::parse(text));
}

TEST_CASE("a_key_that_appears_twice_is_named_with_its_place") {
  CHECK(refused("{\n  \"a\": 1,\n  \"a\": 2}").text() == R"(line 3, column 3: key "a" appears twice)");
  CHECK(refused(R"({"spec":{"list":[0,{"x":1,"y":2,"x":3}]}})").message ==
        R"(key "x" appears twice in spec.list[1])");
  CHECK(refused(R"({"metadata":{"annotations":{"a/b":"1","a/b":"2"}}})").message ==
        R"(key "a/b" appears twice in metadata.annotations)");
  CHECK(refused(R"({"a":1,"\u0061":2})").message == R"(key "a" appears twice)");
}

TEST_CASE("the_same_key_in_two_objects_is_no_duplicate") {
  CHECK(decode(R"([{"a":1},{"a":1},{"b":{"a":1},"a":2}])"));
}

TEST_CASE("where_duplicates_are_allowed_the_last_value_wins") {
  const auto document = decode(R"({"a":{"x":1},"b":0,"a":[2]})", {.duplicate_keys = true});
  REQUIRE(document);
  CHECK(document->dump() == R"({"a":[2],"b":0})");
}

TEST_CASE("nesting_up_to_the_limit_is_read_and_one_more_is_too_large") {
  CHECK(decode(nested(64)));
  const Error error = refused(nested(65));
  CHECK(error.code == Code::kTooLarge);
  CHECK(error.text() == "line 1, column 65: nested deeper than 64 levels");
  CHECK(refused(R"({"a":{"b":{}}})", {.depth = 2}).message == "nested deeper than 2 levels");
  CHECK(decode("5", {.depth = 0}));
}

TEST_CASE("a_depth_bomb_of_megabytes_is_refused_at_its_beginning") {
  CHECK(refused(std::string(5'000'000, '[')).code == Code::kTooLarge);
  std::string objects;
  for (int i = 0; i < 500'000; ++i) objects += R"({"a":)";
  CHECK(refused(objects).code == Code::kTooLarge);
}

TEST_CASE("a_text_over_the_size_is_too_large") {
  CHECK(decode("[1]", {.bytes = 3}));
  const Error error = refused("[11]", {.bytes = 3});
  CHECK(error.code == Code::kTooLarge);
  CHECK(error.text() == "the text has 4 bytes; at most 3 are read");
}

TEST_CASE("integers_are_exact_up_to_64_bits") {
  CHECK(decode("18446744073709551615") == Document(std::numeric_limits<std::uint64_t>::max()));
  CHECK(decode("-9223372036854775808") == Document(std::numeric_limits<std::int64_t>::min()));
  CHECK(decode("9007199254740993")->dump() == "9007199254740993");
}

TEST_CASE("integers_outside_64_bits_are_refused_rather_than_rounded") {
  CHECK(refused("18446744073709551616").text() ==
        "line 1, column 1: 18446744073709551616 is outside the 64-bit integers");
  CHECK(refused(R"({"spec":{"replicas": -9223372036854775809 }})").text() ==
        "line 1, column 22: -9223372036854775809 is outside the 64-bit integers in spec.replicas");
  CHECK(refused(R"({"l":[1,[], 99999999999999999999]})").message ==
        "99999999999999999999 is outside the 64-bit integers in l[2]");
  CHECK(refused(std::string(100'000, '9')).message.size() < 200);
}

TEST_CASE("a_number_too_large_for_a_double_is_refused") {
  CHECK(refused(R"({"x":[1e999]})").text() == "line 1, column 7: 1e999 is too large for a number in x[0]");
  CHECK(refused("-1e400,").message == "-1e400 is too large for a number");
  CHECK(decode("1e308"));
}

TEST_CASE("words_that_are_no_json_numbers_are_refused") {
  for (const char* text : {"NaN", "Infinity", "-Infinity", "01", "+1", "1.", ".5", "0x10", "1e", "--1"}) {
    INFO(text);
    CHECK(refused(text).message.find("not valid JSON") == 0);
  }
}

TEST_CASE("text_that_is_not_utf8_is_refused_with_its_place") {
  for (const char* text :
       {"\"\xff\"", "\"\xc3(\"", "\"\xc0\xaf\"", "\"\xed\xa0\x80\"", "\"\xf5\x80\x80\x80\""}) {
    CHECK(refused(text).message == "the text is not valid UTF-8 here");
  }
  CHECK(refused("{\"a\":\n\"ok\xff\"}").where == "line 2, column 4");
  CHECK(refused("{\"k\xff\":1}").message == "the text is not valid UTF-8 here");
}

TEST_CASE("half_a_surrogate_pair_is_refused") {
  CHECK(refused(R"("\ud800")").code == Code::kInvalid);
  CHECK(refused(R"("\udc00\ud800")").code == Code::kInvalid);
  CHECK(decode(R"("\ud83d\ude00")") == Document("😀"));
}

TEST_CASE("anything_after_the_value_is_refused") {
  CHECK(refused("{} x").where == "line 1, column 4");
  CHECK(refused("1 2").code == Code::kInvalid);
  CHECK(refused("{}{}").code == Code::kInvalid);
  CHECK(refused("[1],").code == Code::kInvalid);
  CHECK(decode("{}\n\t \r\n"));
}

TEST_CASE("a_nul_byte_does_not_hide_what_follows_it") {
  CHECK(refused(std::string_view("{}\0", 3)).message == "a NUL byte follows the value");
  CHECK(refused(std::string_view("{} \0{\"a\":1}", 11)).where == "line 1, column 4");
  CHECK(refused(std::string_view("[1,\0]", 5)).code == Code::kInvalid);
}

TEST_CASE("text_that_stops_early_is_refused") {
  const std::string text = R"({"a":[1,{"b":"c"}],"d":-1.5e3})";
  for (std::size_t size = 0; size < text.size(); ++size) {
    INFO(size);
    const Error error = refused(text.substr(0, size));
    CHECK(error.code == Code::kInvalid);
    CHECK(error.where.find("line 1, column ") == 0);
  }
  CHECK(refused("").message.find("unexpected end of input") != std::string::npos);
}

TEST_CASE("a_syntax_error_names_line_and_column_and_shows_little_of_the_text") {
  const Error error = refused("{\n  \"a\": tru\n}");
  CHECK(error.where == "line 2, column 11");
  CHECK(error.message.find("not valid JSON: while parsing value") == 0);
  CHECK(error.message.find("[json.exception") == std::string::npos);
  CHECK(refused("\"" + std::string(1'000'000, 'x')).message.size() < 200);
  CHECK(refused("{\"a\":\"\x1b[2J\"}").message.find('\x1b') == std::string::npos);
}

TEST_CASE("comments_and_trailing_commas_are_refused") {
  CHECK(refused("[1,]").code == Code::kInvalid);
  CHECK(refused("{\"a\":1,}").code == Code::kInvalid);
  CHECK(refused("/* x */ 1").code == Code::kInvalid);
  CHECK(refused("{a:1}").code == Code::kInvalid);
  CHECK(refused("{1:1}").code == Code::kInvalid);
  CHECK(refused("{'a':1}").code == Code::kInvalid);
}

TEST_CASE("a_byte_order_mark_at_the_beginning_is_passed_over") {
  CHECK(decode("\xEF\xBB\xBF{}"));
  CHECK(refused("\xEF\xBB{}").code == Code::kInvalid);
}

}  // namespace
}  // namespace toposeg::json
