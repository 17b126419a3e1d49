#include "common/base/text.h"

#include <array>
#include <string>
#include <vector>

#include "unit/catch.h"

namespace toposeg {
namespace {

constexpr std::array<std::string_view, 4> kWords = {"segment-size", "topology", "automatic", "port"};

TEST_CASE("a_plain_value_is_shown_in_quotes") {
  CHECK(quote("rack-7") == "\"rack-7\"");
  CHECK(quote("") == "\"\"");
  CHECK(quote("größe") == "\"größe\"");
}

TEST_CASE("control_characters_and_quotes_of_a_value_cannot_reach_the_terminal") {
  CHECK(quote("a\"b\\c") == R"("a\"b\\c")");
  CHECK(quote("a\nb\r\tc") == R"("a\nb\r\tc")");
  CHECK(quote("\x1b[31mred\x7f") == R"("\x1b[31mred\x7f")");
  CHECK(quote(std::string_view("a\0b", 3)) == R"("a\x00b")");
  CHECK(quote("\xc2\x9b"
              "31m") == R"("\xc2\x9b31m")");  // the one-character form of escape-bracket
}

TEST_CASE("bytes_that_are_no_utf8_are_shown_as_hexadecimal") {
  CHECK(quote("a\xff") == R"("a\xff")");
  CHECK(quote("\xc3") == R"("\xc3")");
  CHECK(quote("\xed\xa0\x80") == R"("\xed\xa0\x80")");
}

TEST_CASE("a_very_long_value_is_cut_and_its_size_is_said") {
  CHECK(quote(std::string(80, 'x')) == '"' + std::string(80, 'x') + '"');
  CHECK(quote(std::string(81, 'x')) == '"' + std::string(80, 'x') + "…\" (81 bytes)");
  CHECK(quote("äöü", 2) == "\"äö…\" (6 bytes)");
}

TEST_CASE("valid_characters_of_every_length_are_told_from_broken_ones") {
  CHECK(character_bytes("a") == 1);
  CHECK(character_bytes("é") == 2);
  CHECK(character_bytes("€") == 3);
  CHECK(character_bytes("😀") == 4);
  CHECK(character_bytes("") == 0);
  for (const char* broken :
       {"\x80", "\xc0\xaf", "\xc1\xbf", "\xe0\x80\xaf", "\xed\xbf\xbf", "\xf0\x80\x80\x80",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82", "\xc3("}) {
    INFO(quote(broken));
    CHECK(character_bytes(broken) == 0);
  }
}

TEST_CASE("a_json_string_is_always_valid_json") {
  std::string out;
  append_json_string(out, "a\"b\\\n\x01\xff€");
  CHECK(out == "\"a\\\"b\\\\\\u000a\\u0001\xEF\xBF\xBD€\"");
}

TEST_CASE("a_warning_is_cut_at_a_character_never_inside_one") {
  CHECK(truncated("short", 120) == "short");
  CHECK(truncated("12345", 5) == "12345");
  CHECK(truncated("123456", 5) == "1234…");
  CHECK(truncated("äöüß", 3) == "äö…");
  CHECK(truncated("anything", 0).empty());
  CHECK(truncated("anything", 1) == "…");
  CHECK(count_characters(truncated(std::string(500, 'x'), 120)) == 120);
  CHECK(count_characters("a\xff€") == 3);
}

TEST_CASE("typing_mistakes_are_counted") {
  CHECK(edit_distance("topology", "topology", 3) == 0);
  CHECK(edit_distance("topolgy", "topology", 3) == 1);
  CHECK(edit_distance("topolg", "topology", 3) == 2);
  CHECK(edit_distance("tpoology", "topology", 3) == 1);  // a swap of neighbours is one mistake
  CHECK(edit_distance("kitten", "sitting", 5) == 3);
  CHECK(edit_distance("", "abc", 5) == 3);
  CHECK(edit_distance("abcdef", "uvwxyz", 2) == 3);  // more than the limit
  CHECK(edit_distance(std::string(1'000'000, 'x'), "port", 2) == 3);
}

TEST_CASE("a_misspelt_word_gets_the_nearest_known_one") {
  CHECK(nearest("segment_size", kWords) == "segment-size");
  CHECK(nearest("SegmentSize", kWords) == "segment-size");
  CHECK(nearest("automtic", kWords) == "automatic");
  CHECK(did_you_mean("topolgy", kWords) == " (did you mean \"topology\"?)");
}

TEST_CASE("a_word_that_is_like_no_other_gets_no_suggestion") {
  CHECK_FALSE(nearest("replicas", kWords));
  CHECK_FALSE(nearest("", kWords));
  CHECK_FALSE(nearest(std::string(100'000, 'a'), kWords));
  CHECK(did_you_mean("replicas", kWords).empty());
  CHECK_FALSE(nearest("port", std::vector<std::string>{}));
}

TEST_CASE("of_two_equally_near_words_the_first_is_suggested") {
  const std::vector<std::string> words = {"rack", "racy"};
  CHECK(nearest("racx", words) == "rack");
}

TEST_CASE("words_are_joined") {
  CHECK(join(std::vector<std::string>{"a", "b"}, ", ") == "a, b");
  CHECK(join(kWords, "|") == "segment-size|topology|automatic|port");
  CHECK(join(std::vector<std::string>{}, ", ").empty());
}

}  // namespace
}  // namespace toposeg
