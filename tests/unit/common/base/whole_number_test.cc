#include "common/base/whole_number.h"

#include "unit/catch.h"

namespace toposeg {
namespace {

TEST_CASE("digits are a whole number and nothing else is") {
  CHECK(whole_number("0") == 0);
  CHECK(whole_number("007") == 7);
  CHECK(whole_number("9223372036854775807") == 9'223'372'036'854'775'807);
  CHECK(whole_number<std::uint16_t>("65535") == 65535);
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "1.0", "1e3", "0x1", "9223372036854775808"}) {
    INFO(text);
    CHECK_FALSE(whole_number(text));
  }
  CHECK_FALSE(whole_number<std::uint16_t>("65536"));
}

}  // namespace
}  // namespace toposeg
