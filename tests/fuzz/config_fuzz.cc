// Any bytes as a configuration: faults are told with their lines; what is taken is the same when it is
// printed and read again.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "common/config/config.h"

namespace {

namespace config = toposeg::config;

void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto read = config::parse(text, "fuzz");
  if (!read) {
    demand(!read.error().empty(), "refused without a fault");
    for (const toposeg::Error& fault : read.error()) {
      demand(fault.where.starts_with("fuzz"), "a fault without its place");
      demand(fault.text().find_first_of("\n\r") == std::string::npos, "a fault of several lines");
    }
    return 0;
  }
  const std::string printed = config::print(*read);
  const auto again = config::parse(printed, "again");
  demand(again.has_value(), "what is printed is not read");
  demand(*again == *read, "what is printed means something else");
  demand(config::print(*again) == printed, "what is printed is printed otherwise");
  return 0;
}
