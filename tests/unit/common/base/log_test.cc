#include "common/base/log.h"

#include <limits>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "unit/catch.h"

namespace toposeg::log {
namespace {

struct Lines {
  std::ostringstream stream;
  Options options(Format format, Level level = Level::kInfo) {
    auto clock = std::make_shared<ManualClock>();
    clock->advance(std::chrono::microseconds(123'456));
    return {.level = level, .format = format, .stream = &stream, .clock = clock};
  }
};

TEST_CASE("a_json_line_holds_time_level_message_and_values_in_order") {
  Lines lines;
  const Logger logger(lines.options(Format::kJson));
  const std::string uid = "4f2c";
  logger.info("Review answered",
              {{"uid", uid}, {"allowed", true}, {"pods", 16}, {"seconds", 0.25}, {"bytes", 7UL}});
  CHECK(lines.stream.str() ==
        R"({"ts":1800000000123.456,"level":"info","msg":"Review answered","uid":"4f2c","allowed":true,)"
        R"("pods":16,"seconds":0.25,"bytes":7})"
        "\n");
}

TEST_CASE("a_text_line_quotes_only_values_that_could_be_misread") {
  Lines lines;
  const Logger logger(lines.options(Format::kText));
  logger.warn("Plan is late", {{"workload", "ml/job"}, {"why", "no room"}, {"empty", ""}, {"delta", -3}});
  CHECK(lines.stream.str() ==
        "2027-01-15T08:00:00.123Z warn Plan is late workload=ml/job why=\"no room\" empty=\"\" delta=-3\n");
}

TEST_CASE("a_value_cannot_forge_a_line_or_a_field") {
  for (const Format format : {Format::kJson, Format::kText}) {
    Lines lines;
    const Logger logger(lines.options(format));
    logger.info("Got", {{"name", "x\n{\"level\":\"error\"}"}, {"bytes", "\xff\x1b[2J"}});
    const std::string out = lines.stream.str();
    CHECK(out.find('\n') == out.size() - 1);
    CHECK(out.find('\x1b') == std::string::npos);
    CHECK(out.find("\\u000a") != std::string::npos);
  }
}

TEST_CASE("a_number_that_json_cannot_hold_is_null") {
  Lines lines;
  const Logger logger(lines.options(Format::kJson));
  logger.info("Measured", {{"ratio", std::numeric_limits<double>::infinity()}});
  CHECK(lines.stream.str().find(R"("ratio":null})") != std::string::npos);
}

TEST_CASE("lines_below_the_level_are_not_written") {
  Lines lines;
  Logger logger(lines.options(Format::kJson, Level::kWarn));
  logger.info("Quiet");
  logger.debug("Quiet");
  CHECK(lines.stream.str().empty());
  logger.error("Loud");
  CHECK(lines.stream.str().find(R"("level":"error","msg":"Loud")") != std::string::npos);
}

TEST_CASE("the_level_can_change_while_running_and_copies_follow") {
  Lines lines;
  Logger logger(lines.options(Format::kJson, Level::kError));
  const Logger copy = logger;
  CHECK_FALSE(copy.enabled(Level::kTrace));
  logger.set_level(Level::kTrace);
  CHECK(copy.enabled(Level::kTrace));
  copy.trace("Seen");
  CHECK(lines.stream.str().find("\"trace\"") != std::string::npos);
}

TEST_CASE("lines_of_several_threads_do_not_mix") {
  Lines lines;
  const Logger logger(lines.options(Format::kText));
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&logger] {
      for (int i = 0; i < 50; ++i) logger.info("Same sentence", {{"key", "value"}});
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::istringstream in(lines.stream.str());
  int count = 0;
  for (std::string line; std::getline(in, line); ++count) {
    REQUIRE(line == "2027-01-15T08:00:00.123Z info Same sentence key=value");
  }
  CHECK(count == 200);
}

TEST_CASE("levels_and_formats_are_known_by_name") {
  CHECK(parse_level("trace") == Level::kTrace);
  CHECK(parse_level("error") == Level::kError);
  CHECK_FALSE(parse_level("INFO"));
  CHECK(parse_format("text") == Format::kText);
  CHECK_FALSE(parse_format("xml"));
}

}  // namespace
}  // namespace toposeg::log
