// Answers that the connection front gives by itself, when a request does not reach a handler.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace toposeg::webhook {

enum class Refusal : std::uint8_t {
  kMalformed,          // 400
  kWrongMethod,        // 405
  kTimeout,            // 408
  kNoLength,           // 411
  kBodyTooLarge,       // 413
  kTargetTooLong,      // 414
  kWrongType,          // 415
  kContentEncoding,    // 415
  kExpectation,        // 417
  kHeaderTooLarge,     // 431
  kTransferEncoding,   // 501
  kHttpVersion,        // 505
  kBusy,               // 429, the queue of requests is full
  kTooManyConnections  // 429
};
inline constexpr std::size_t kRefusals = 14;

struct RefusalText {
  int status;
  std::string_view reason;  // label of the metric
  std::string_view text;    // what the client reads
};
[[nodiscard]] const RefusalText& text_of(Refusal refusal);

// The whole HTTP answer. `allowed_method` is named with kWrongMethod; a busy answer carries `Retry-After: 1`,
// which API servers honour. Only kBusy may keep its connection: after the others the stream's next byte has
// no known meaning.
[[nodiscard]] std::string answer_of(Refusal refusal, std::string_view allowed_method, bool close);

}  // namespace toposeg::webhook
