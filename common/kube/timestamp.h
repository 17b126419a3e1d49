// Times of objects, as the API server prints them.
#pragma once

#include <cstdint>

#include "common/json/decode.h"

namespace toposeg::kube {

// Seconds since 1970 of an RFC 3339 text in UTC (2026-11-29T16:38:27Z); 0 when it is none.
[[nodiscard]] std::int64_t read_timestamp(const json::Document* value);

}  // namespace toposeg::kube
