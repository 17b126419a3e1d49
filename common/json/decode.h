// JSON text to a document, within limits. Everything that arrives from outside goes through here.
//
//   auto review = json::decode(body, json::Limits{});
//   if (!review) answer_400(review.error().text());   // "line 3, column 14: key "name" appears twice"
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

#include "common/base/error.h"

namespace toposeg::json {

using Document = nlohmann::json;

struct Limits {
  std::size_t bytes = 7U << 20U;  // size of the text
  std::size_t depth = 64;         // nesting of objects and arrays
  bool duplicate_keys = false;    // true = the last one wins, as in the API server's own decoder
};

// Refuses: text over the size, nesting over the depth, a key twice in one object, invalid UTF-8, integers
// outside 64 bits and non-finite numbers, anything after the value. kTooLarge or kInvalid. Linear time.
// Thread safe.
[[nodiscard]] Result<Document> decode(std::string_view text, const Limits& limits = {});

}  // namespace toposeg::json
