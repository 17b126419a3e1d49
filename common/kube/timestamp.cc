#include "common/kube/timestamp.h"

#include <chrono>
#include <cstdio>
#include <string>

#include "common/json/pointer.h"

namespace toposeg::kube {

std::int64_t read_timestamp(const json::Document* value) {
  const std::string* text = json::text(value);
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  unsigned hour = 0;
  unsigned minute = 0;
  unsigned second = 0;
  if (text == nullptr || std::sscanf(text->c_str(), "%4d-%2u-%2uT%2u:%2u:%2u", &year, &month, &day, &hour,
                                     &minute, &second) != 6) {
    return 0;
  }
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  if (!date.ok()) return 0;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return std::int64_t{days} * 86'400 + std::int64_t{hour} * 3'600 + std::int64_t{minute} * 60 + second;
}

}  // namespace toposeg::kube
