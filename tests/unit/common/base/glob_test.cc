#include "common/base/glob.h"

#include <string>

#include "unit/catch.h"

namespace toposeg {
namespace {

TEST_CASE("a_star_stands_for_any_characters_and_for_none") {
  CHECK(glob_match("kubectl*", "kubectl"));
  CHECK(glob_match("kubectl*", "kubectl-client-side-apply"));
  CHECK(glob_match("*.run.ai", "scheduling.run.ai"));
  CHECK(glob_match("system:serviceaccount:*:*", "system:serviceaccount:ns:name"));
  CHECK(glob_match("*", ""));
  CHECK(glob_match("a**b*", "ab"));
}

TEST_CASE("the_whole_text_has_to_match") {
  CHECK_FALSE(glob_match("kubectl*", "my-kubectl"));
  CHECK_FALSE(glob_match("*.run.ai", "run.ai"));
  CHECK_FALSE(glob_match("*.run.ai", "x.run.ai.example"));
  CHECK_FALSE(glob_match("a", "ab"));
  CHECK_FALSE(glob_match("ab", "a"));
  CHECK_FALSE(glob_match("", "a"));
  CHECK(glob_match("", ""));
}

TEST_CASE("a_question_mark_stands_for_one_character") {
  CHECK(glob_match("v?", "v1"));
  CHECK(glob_match("?", "é"));
  CHECK(glob_match("*??", "ab"));
  CHECK_FALSE(glob_match("v?", "v"));
  CHECK_FALSE(glob_match("v?", "v12"));
  CHECK_FALSE(glob_match("*??", "€"));  // three bytes, one character
}

TEST_CASE("a_star_gives_back_what_the_rest_needs") {
  CHECK(glob_match("*aab", "aaaaab"));
  CHECK(glob_match("a*b*c", "abbbcxbc"));
  CHECK_FALSE(glob_match("a*b*c", "abbbcxb"));
}

TEST_CASE("brackets_and_backslashes_are_ordinary_characters") {
  CHECK(glob_match("[ab]\\*", "[ab]\\x"));
  CHECK_FALSE(glob_match("[ab]", "a"));
}

TEST_CASE("a_pattern_full_of_stars_ends_on_a_long_text") {
  std::string pattern;
  for (int i = 0; i < 60; ++i) pattern += "a*";
  CHECK_FALSE(glob_match(pattern + "b", std::string(100'000, 'a')));
  CHECK(glob_match(pattern, std::string(100'000, 'a')));
}

}  // namespace
}  // namespace toposeg
