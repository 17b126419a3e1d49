// The head of one HTTP/1.1 request (RFC 9112), read strictly: whatever two readers could understand
// differently is refused, since a proxy may stand before us. Pure functions, no I/O.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

#include "webhook/server/refusal.h"

namespace toposeg::webhook {

// What one listener takes.
struct HeadRules {
  std::string_view method;  // the only one, e.g. "POST"
  bool body = true;         // a JSON body is demanded; otherwise none is allowed
  std::size_t max_bytes = 16U << 10U;
  std::size_t max_body_bytes = 7U << 20U;
};

struct Head {
  std::string target;        // path and query as sent, in origin form
  std::string trace_parent;  // W3C Trace Context, may be empty
  std::size_t content_length = 0;
  bool keep_alive = true;
  bool expects_continue = false;

  [[nodiscard]] std::string_view path() const { return std::string_view(target).substr(0, target.find('?')); }
};

// Where the head in `input` ends (just behind the empty line), 0 when more bytes are needed. `scanned`
// remembers how far earlier calls looked, so that the whole is linear in the bytes; start it at 0. A line
// that ends without a carriage return is malformed.
[[nodiscard]] std::expected<std::size_t, Refusal> find_head_end(std::string_view input, std::size_t& scanned,
                                                                const HeadRules& rules);

// `text` is a whole head with its empty line. O(bytes).
[[nodiscard]] std::expected<Head, Refusal> parse_head(std::string_view text, const HeadRules& rules);

// The caller's time limit from the query `timeout=` (as an API server writes it: 10s, 500ms, 1m), less a
// tenth for the way back; ten seconds when it is absent or unreadable, at most thirty. Never less than a
// millisecond.
[[nodiscard]] std::chrono::milliseconds timeout_of(std::string_view target);

}  // namespace toposeg::webhook
