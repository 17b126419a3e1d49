#include "webhook/kube_api/line_framer.h"

#include <random>
#include <vector>

#include "unit/catch.h"

namespace toposeg::webhook::kube_api {
namespace {

std::vector<std::string> lines_of(const std::vector<std::string>& chunks, std::size_t largest = 1'000) {
  LineFramer framer(largest);
  std::vector<std::string> lines;
  for (const std::string& chunk : chunks) {
    const auto fed = framer.feed(chunk, [&](std::string_view line) {
      lines.emplace_back(line);
      return true;
    });
    REQUIRE(fed.value());
  }
  return lines;
}

TEST_CASE("many lines may come in one piece") {
  CHECK(lines_of({"one\ntwo\nthree\n"}) == std::vector<std::string>{"one", "two", "three"});
}

TEST_CASE("a line may come in many pieces, cut within a character of UTF-8") {
  CHECK(lines_of({"K\xC3", "\xB6", "ln", "\nnext", "\n"}) == std::vector<std::string>{"K\xC3\xB6ln", "next"});
}

TEST_CASE("what has no line end yet is no line") {
  LineFramer framer(100);
  int lines = 0;
  REQUIRE(framer.feed("half", [&](std::string_view) { return ++lines > 0; }).value());
  CHECK(lines == 0);
  CHECK(framer.pending() == 4);
}

TEST_CASE("empty lines and carriage returns are not shown") {
  CHECK(lines_of({"\n\r\na\r\n\nb\r", "\n"}) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("cuts at any places give the same lines") {
  std::mt19937 random(7);  // NOLINT(bugprone-random-generator-seed): the same each time
  for (int round = 0; round < 500; ++round) {
    std::string text;
    std::vector<std::string> expected;
    for (int i = 0; i < 12; ++i) {
      std::string line(random() % 40, static_cast<char>('a' + random() % 26));
      if (random() % 3 == 0) line += "\xE2\x82\xAC";
      text += line + '\n';
      if (!line.empty()) expected.push_back(line);
    }
    std::vector<std::string> chunks;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = 1 + random() % 17;
      chunks.push_back(text.substr(at, size));
      at += size;
    }
    REQUIRE(lines_of(chunks) == expected);
  }
}

TEST_CASE("a line over the limit is refused before it has ended") {
  LineFramer framer(10);
  const auto ignore = [](std::string_view) { return true; };
  REQUIRE(framer.feed("1234567890", ignore).value());
  const auto fed = framer.feed("1", ignore);
  REQUIRE_FALSE(fed.has_value());
  CHECK(fed.error() == Error{Code::kTooLarge, "a line has more than 10 bytes", ""});
}

TEST_CASE("a line of exactly the limit passes, and the limit is that of one line") {
  CHECK(lines_of({"12345", "67890\n1234567890\n"}, 10) ==
        std::vector<std::string>{"1234567890", "1234567890"});
}

TEST_CASE("the reader of lines can stop") {
  LineFramer framer(100);
  int lines = 0;
  CHECK_FALSE(framer.feed("a\nb\nc\n", [&](std::string_view) { return ++lines < 2; }).value());
  CHECK(lines == 2);
}

}  // namespace
}  // namespace toposeg::webhook::kube_api
