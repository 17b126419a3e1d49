#include "webhook/admission/warning.h"

#include "unit/catch.h"

namespace toposeg::webhook {
namespace {

std::vector<std::string> lines(std::string_view text) {
  std::vector<std::string> result;
  warn(result, text);
  return result;
}

TEST_CASE("a_short_warning_stays_one_line") {
  CHECK(lines("too big") == std::vector<std::string>{"too big"});
}

TEST_CASE("a_long_warning_is_broken_after_a_semicolon_and_loses_nothing") {
  const std::string first(70, 'a');
  const std::string second(90, 'b');
  CHECK(lines(first + "; " + second) == std::vector<std::string>{first + ";", second});
}

TEST_CASE("each_line_of_a_broken_reason_names_its_segment") {
  const std::string first(90, 'a');
  CHECK(lines("segment 3: " + first + "; it shares one rack") ==
        std::vector<std::string>{"segment 3: " + first + ";", "segment 3: it shares one rack"});
  CHECK(lines("group 1: segment 12: " + first + "; it shares one rack")[1] ==
        "group 1: segment 12: it shares one rack");
  CHECK(lines("segment x: " + first + "; it shares one rack")[1] == "it shares one rack");
}

TEST_CASE("every_line_is_at_most_120_bytes_even_without_blanks") {
  const auto result = lines(std::string(500, 'x'));
  REQUIRE(result.size() == 5);
  for (const std::string& line : result) CHECK(line.size() <= kWarningLength);
}

TEST_CASE("a_line_break_never_splits_a_character") {
  std::string text = "x";
  for (int i = 0; i < 100; ++i) text += "\u00e9";
  std::string joined;
  for (const std::string& line : lines(text)) {
    CHECK((static_cast<unsigned char>(line.front()) & 0xC0U) != 0x80U);
    joined += line;
  }
  CHECK(joined == text);
}

TEST_CASE("control_characters_cannot_forge_another_header_line") {
  CHECK(lines("a\r\nX-Evil: 1") == std::vector<std::string>{"a  X-Evil: 1"});
}

TEST_CASE("the_same_warning_is_given_once_and_their_number_is_bounded") {
  std::vector<std::string> result;
  warn(result, "same");
  warn(result, "same");
  CHECK(result.size() == 1);
  for (int i = 0; i < 100; ++i) warn(result, "number " + std::to_string(i));
  CHECK(result.size() == kWarningCount);
}

}  // namespace
}  // namespace toposeg::webhook
