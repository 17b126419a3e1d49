#include "common/options/usage.h"

#include <sstream>
#include <string>
#include <vector>

#include "common/options/checks.h"
#include "unit/catch.h"

namespace toposeg::options {
namespace {

struct Parsed {
  std::string message;  // empty = good
  std::string shown;
  int count = 1;
  double share = 1;
  std::string colour;
};

Parsed parse(std::vector<const char*> words) {
  Parsed parsed;
  CLI::App app("", "tool");
  app.require_subcommand(1);
  CLI::App* paint = app.add_subcommand("paint", "");
  app.add_subcommand("hidden", "")->group("");
  paint->add_option("--count", parsed.count)->check(is_whole_number(1, 12));
  paint->add_option("--share", parsed.share)->check(is_number(0.5, 2));
  paint->add_option("--colour", parsed.colour)->check(is_one_of({"red", "green"}));
  words.insert(words.begin(), "tool");
  try {
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::ParseError& error) {
    parsed.message = usage_message(error, app);
    std::ostringstream shown;
    tell_wrong_usage(shown, "error", parsed.message, app);
    parsed.shown = shown.str();
  }
  return parsed;
}

TEST_CASE("a value is answered with what would be right") {
  for (const auto& [value, message] : std::vector<std::pair<const char*, std::string>>{
           {"0", R"(--count: "0" is wrong; write a whole number from 1 to 12)"},
           {"13", R"(--count: "13" is wrong; write a whole number from 1 to 12)"},
           {"-1", R"(--count: "-1" is wrong; write a whole number from 1 to 12)"},
           {"+1", R"(--count: "+1" is wrong; write a whole number from 1 to 12)"},
           {"1.0", R"(--count: "1.0" is wrong; write a whole number from 1 to 12)"},
           {"010", R"(--count: "010" is wrong; write a whole number from 1 to 12)"},
           {"0x2", R"(--count: "0x2" is wrong; write a whole number from 1 to 12)"},
           {"many", R"(--count: "many" is wrong; write a whole number from 1 to 12)"},
           {"99999999999999999999", "--count: 99999999999999999999 is too large; write at most 12"},
           {"12", ""}}) {
    CHECK(parse({"paint", "--count", value}).message == message);
  }
  for (const char* value : {"nan", "inf", "-1", "x", "3", "1e400", "0x1p9"}) {
    INFO(value);
    CHECK_THAT(parse({"paint", "--share", value}).message,
               Catch::Matchers::EndsWith("is wrong; write a number from 0.5 to 2"));
  }
  CHECK(parse({"paint", "--colour", "gren"}).message ==
        R"(--colour: "gren" is wrong; write one of red, green (did you mean "green"?))");
}

TEST_CASE("a command line that cannot be understood is told in one line") {
  for (const auto& [words, message] : std::vector<std::pair<std::vector<const char*>, std::string>>{
           {{}, "a command is missing: write one of paint"},
           {{"pain"}, R"("pain" is no command: write one of paint)"},
           {{"--colour", "red"}, "--colour is no option of tool"},
           {{"paint", "--color=red"}, R"(--color is no option of tool paint (did you mean "--colour"?))"},
           {{"paint", "red"}, R"("red" is one word too many for tool paint)"},
           {{"paint", "--count", "1", "--count", "2"}, "--count may be given only once, not as 1 and 2"}}) {
    CHECK(parse(words).message == message);
  }
}

TEST_CASE("the help that is pointed to is the command's") {
  CHECK(parse({"pain"}).shown == "error: \"pain\" is no command: write one of paint\nSee 'tool --help'.\n");
  CHECK(parse({"paint", "red"}).shown ==
        "error: \"red\" is one word too many for tool paint\nSee 'tool paint --help'.\n");
}

}  // namespace
}  // namespace toposeg::options
