#include "common/config/units.h"

#include "unit/catch.h"

namespace toposeg::config {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST_CASE("durations_are_read_with_their_units") {
  CHECK(parse_duration("10s") == seconds(10));
  CHECK(parse_duration("5m") == minutes(5));
  CHECK(parse_duration("500ms") == milliseconds(500));
  CHECK(parse_duration("1h30m") == minutes(90));
  CHECK(parse_duration("1h0m1s1ms") == hours(1) + milliseconds(1001));
  CHECK(parse_duration("0") == milliseconds(0));
  CHECK(parse_duration("0s") == milliseconds(0));
  CHECK(parse_duration("90s") == seconds(90));
}

TEST_CASE("what_is_no_duration_is_refused") {
  for (const char* text : {"", "10", "s", "-1s", "+1s", "1.5s", "10 s", " 10s", "10s ", "1d", "1m1h", "1s1s",
                           "5min", "99999999999999999999s", "9223372036854775807h", "90000h"}) {
    INFO(text);
    CHECK_FALSE(parse_duration(text));
  }
}

TEST_CASE("a_printed_duration_is_short_and_reads_back") {
  CHECK(print_duration(seconds(300)) == "5m");
  CHECK(print_duration(milliseconds(0)) == "0s");
  CHECK(print_duration(milliseconds(90'500)) == "1m30s500ms");
  for (const int value : {1, 999, 1000, 3'600'000, 3'600'001, 86'399'999}) {
    CHECK(parse_duration(print_duration(milliseconds(value))) == milliseconds(value));
  }
}

TEST_CASE("sizes_are_read_alone_or_with_a_binary_unit") {
  CHECK(parse_size("1024") == 1024U);
  CHECK(parse_size("16Ki") == 16384U);
  CHECK(parse_size("7Mi") == 7U << 20U);
  CHECK(parse_size("1Gi") == 1U << 30U);
}

TEST_CASE("what_is_no_size_is_refused") {
  for (const char* text :
       {"", "Ki", "-1", "1.5Mi", "7 Mi", "7MB", "7m", "7Mi7", "18446744073709551616", "17179869184Gi"}) {
    INFO(text);
    CHECK_FALSE(parse_size(text));
  }
}

TEST_CASE("a_printed_size_is_short_and_reads_back") {
  CHECK(print_size(16384) == "16Ki");
  CHECK(print_size(1025) == "1025");
  CHECK(print_size(0) == "0");
  for (const std::uint64_t value : {1ULL, 1024ULL, 3ULL << 20U, 5ULL << 30U})
    CHECK(parse_size(print_size(value)) == value);
}

}  // namespace
}  // namespace toposeg::config
