// What the server counts, in Prometheus' own types. Label values are few and fixed: the port, the status
// class, the reason of a refusal; never a path or an address that a client chose.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "webhook/server/refusal.h"

namespace prometheus {
class Counter;
class Gauge;
class Histogram;
class Registry;
}  // namespace prometheus

namespace toposeg::webhook {

// Ends of a connection that leave no answer behind.
enum class Drop : std::uint8_t {
  kTls,               // the handshake failed
  kHandshakeTimeout,  // it did not end in time
  kIncomplete,        // the peer left in the middle of a request
  kSlowReader,        // the answer was not taken in time
  kOverflow,          // closed at once: even the places for polite refusals are taken
};
inline constexpr std::size_t kDrops = 5;

// Of one listener. Thread safe; lives as long as the registry does.
class FrontMetrics {
 public:
  FrontMetrics(prometheus::Registry& registry, std::string_view port);

  void connection_opened();
  void connection_closed();
  void request_started();
  void request_finished();  // also when its connection is gone
  void answered(int status, double seconds);
  void refused(Refusal refusal);
  void dropped(Drop drop);
  void handler_threw();

 private:
  prometheus::Gauge* connections_;
  prometheus::Gauge* in_flight_;
  prometheus::Histogram* duration_;
  prometheus::Counter* exceptions_;
  std::array<prometheus::Counter*, 5> by_class_{};  // 1xx to 5xx
  std::array<prometheus::Counter*, kRefusals> refused_{};
  std::array<prometheus::Counter*, kDrops> dropped_{};
};

// The gauge toposeg_certificate_expiry_timestamp_seconds.
[[nodiscard]] prometheus::Gauge& certificate_expiry(prometheus::Registry& registry);

// The text exposition format of everything in the registry, for the route /metrics.
[[nodiscard]] std::string render(const prometheus::Registry& registry);
// The Content-Type that belongs to it.
inline constexpr std::string_view kMetricsContentType = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace toposeg::webhook
