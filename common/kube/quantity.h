// Kubernetes quantities as exact integers, no floating point (k8s.io/apimachinery resource.Quantity).
//
//   parse_quantity("1500m")          -> 1500 milli
//   parse_amount("cpu", "0.5")       -> 500        (milli, as the scheduler counts cpu)
//   parse_amount("memory", "1Ki")    -> 1024
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/error.h"

namespace toposeg::kube {

// The amount of a resource in the scheduler's unit: milli for cpu, whole units otherwise, rounded up.
// Suffixes n u m "" k M G T P E, Ki Mi Gi Ti Pi Ei, and decimal exponents (1e3, 1E-2). Values beyond 64 bits
// saturate at INT64_MAX as upstream does. kInvalid names the text and the accepted forms. Negative amounts
// are kInvalid.
[[nodiscard]] Result<std::int64_t> parse_amount(std::string_view resource, std::string_view text);

// For people: 500m, 4, 16Gi. `resource` selects the unit as above.
[[nodiscard]] std::string format_amount(std::string_view resource, std::int64_t amount);

// Sums and products that stop at INT64_MAX instead of wrapping. Arguments must be >= 0.
[[nodiscard]] std::int64_t saturating_add(std::int64_t a, std::int64_t b);
[[nodiscard]] std::int64_t saturating_multiply(std::int64_t a, std::int64_t b);

}  // namespace toposeg::kube
