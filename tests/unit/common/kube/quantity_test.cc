#include "common/kube/quantity.h"

#include <cstdint>
#include <string>

#include "unit/catch.h"

namespace toposeg::kube {
namespace {

std::int64_t amount(const char* resource, const std::string& text) {
  const auto value = parse_amount(resource, text);
  INFO(text);
  REQUIRE(value.has_value());
  return *value;
}

TEST_CASE("cpu_is_counted_in_milli") {
  CHECK(amount("cpu", "1") == 1000);
  CHECK(amount("cpu", "0.5") == 500);
  CHECK(amount("cpu", "500m") == 500);
  CHECK(amount("cpu", "1e3") == 1'000'000);
  CHECK(amount("cpu", "2.5e-1") == 250);
}

TEST_CASE("other_resources_are_counted_in_whole_units") {
  CHECK(amount("memory", "1Ki") == 1024);
  CHECK(amount("memory", "16Gi") == 17'179'869'184);
  CHECK(amount("memory", "1k") == 1000);
  CHECK(amount("memory", "0.5Gi") == 536'870'912);
  CHECK(amount("memory", "1E") == 1'000'000'000'000'000'000);
  CHECK(amount("memory", "1E3") == 1000);
  CHECK(amount("nvidia.com/gpu", "8") == 8);
  CHECK(amount("memory", ".5k") == 500);
  CHECK(amount("memory", "5.") == 5);
  CHECK(amount("memory", "+4") == 4);
}

TEST_CASE("fractions_are_rounded_up") {
  CHECK(amount("cpu", "1n") == 1);
  CHECK(amount("cpu", "1u") == 1);
  CHECK(amount("cpu", "1001u") == 2);
  CHECK(amount("memory", "1m") == 1);
  CHECK(amount("memory", "0.1Ki") == 103);
  CHECK(amount("memory", "0") == 0);
}

TEST_CASE("the_largest_amounts_stop_at_64_bits") {
  CHECK(amount("memory", "9223372036854775807") == INT64_MAX);
  CHECK(amount("memory", "9223372036854775806") == INT64_MAX - 1);
  CHECK(amount("memory", "9223372036854775808") == INT64_MAX);
  CHECK(amount("memory", "8Ei") == INT64_MAX);
  CHECK(amount("memory", "1e1000000000000") == INT64_MAX);
  CHECK(amount("memory", std::string(100'000, '9')) == INT64_MAX);
  CHECK(amount("memory", "0." + std::string(100'000, '0') + "1") == 1);
  CHECK(amount("memory", "1e-1000000000000") == 1);
  CHECK(amount("memory", "0e1000000000000") == 0);
}

TEST_CASE("texts_that_are_no_quantity_are_refused_with_the_forms_that_are") {
  for (const char* text : {"", "m", "abc", "1.2.3", "1 ", " 1", "1kk", "1ki", "0x10", "1e", "1e+", "--1",
                           "NaN", "-1", "-1m", "1Ei1"}) {
    INFO(text);
    const auto value = parse_amount("cpu", text);
    REQUIRE_FALSE(value.has_value());
    CHECK(value.error().code == Code::kInvalid);
    CHECK(value.error().message.find("500m") != std::string::npos);
  }
  CHECK(parse_amount("cpu", "-0").has_value());
}

TEST_CASE("amounts_are_printed_in_the_units_people_write") {
  CHECK(format_amount("cpu", 500) == "500m");
  CHECK(format_amount("cpu", 4000) == "4");
  CHECK(format_amount("memory", 17'179'869'184) == "16Gi");
  CHECK(format_amount("memory", 1000) == "1000");
  CHECK(format_amount("nvidia.com/gpu", 8) == "8");
}

TEST_CASE("sums_and_products_saturate") {
  CHECK(saturating_add(INT64_MAX, 1) == INT64_MAX);
  CHECK(saturating_add(2, 3) == 5);
  CHECK(saturating_multiply(INT64_MAX / 2, 3) == INT64_MAX);
  CHECK(saturating_multiply(6, 7) == 42);
}

}  // namespace
}  // namespace toposeg::kube
