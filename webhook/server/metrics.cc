#include "webhook/server/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>

namespace toposeg::webhook {
namespace {

constexpr std::array<std::string_view, kDrops> kDropReasons{"tls", "handshake_timeout", "incomplete",
                                                            "slow_reader", "overflow"};

prometheus::Histogram::BucketBoundaries duration_buckets() {
  return {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
}

}  // namespace

FrontMetrics::FrontMetrics(prometheus::Registry& registry, std::string_view port) {
  const std::string name(port);
  const auto gauge = [&](const char* metric, const char* help) {
    return &prometheus::BuildGauge().Name(metric).Help(help).Register(registry).Add({{"port", name}});
  };
  connections_ = gauge("toposeg_http_connections", "Open connections");
  in_flight_ = gauge("toposeg_http_requests_in_flight", "Requests that wait for a worker or are with one");
  duration_ = &prometheus::BuildHistogram()
                   .Name("toposeg_http_request_duration_seconds")
                   .Help("From the last byte of a request to the last byte of its answer")
                   .Register(registry)
                   .Add({{"port", name}}, duration_buckets());
  exceptions_ = &prometheus::BuildCounter()
                     .Name("toposeg_http_handler_exceptions_total")
                     .Help("Requests answered with 500 because their handler threw")
                     .Register(registry)
                     .Add({{"port", name}});
  auto& answers = prometheus::BuildCounter()
                      .Name("toposeg_http_requests_total")
                      .Help("Answers by status class")
                      .Register(registry);
  for (std::size_t i = 0; i < by_class_.size(); ++i) {
    by_class_.at(i) = &answers.Add({{"port", name}, {"code", std::to_string(i + 1) + "xx"}});
  }
  auto& rejected = prometheus::BuildCounter()
                       .Name("toposeg_http_rejected_total")
                       .Help("Requests and connections that reached no handler, by reason")
                       .Register(registry);
  for (std::size_t i = 0; i < kRefusals; ++i) {
    const std::string reason(text_of(static_cast<Refusal>(i)).reason);
    refused_.at(i) = &rejected.Add({{"port", name}, {"reason", reason}});
  }
  for (std::size_t i = 0; i < kDrops; ++i) {
    dropped_.at(i) = &rejected.Add({{"port", name}, {"reason", std::string(kDropReasons.at(i))}});
  }
}

void FrontMetrics::connection_opened() { connections_->Increment(); }
void FrontMetrics::connection_closed() { connections_->Decrement(); }
void FrontMetrics::request_started() { in_flight_->Increment(); }
void FrontMetrics::request_finished() { in_flight_->Decrement(); }

void FrontMetrics::answered(int status, double seconds) {
  by_class_.at(static_cast<std::size_t>(std::clamp(status / 100, 1, 5) - 1))->Increment();
  duration_->Observe(seconds);
}

void FrontMetrics::refused(Refusal refusal) {
  refused_.at(static_cast<std::size_t>(refusal))->Increment();
  by_class_.at(static_cast<std::size_t>(text_of(refusal).status / 100 - 1))->Increment();
}

void FrontMetrics::dropped(Drop drop) { dropped_.at(static_cast<std::size_t>(drop))->Increment(); }
void FrontMetrics::handler_threw() { exceptions_->Increment(); }

prometheus::Gauge& certificate_expiry(prometheus::Registry& registry) {
  return prometheus::BuildGauge()
      .Name("toposeg_certificate_expiry_timestamp_seconds")
      .Help("When the serving certificate stops being valid, in seconds since 1970")
      .Register(registry)
      .Add({});
}

std::string render(const prometheus::Registry& registry) {
  return prometheus::TextSerializer().Serialize(registry.Collect());
}

}  // namespace toposeg::webhook
