#include "webhook/admission/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <string>

namespace toposeg::webhook {
namespace {

double seconds(std::chrono::nanoseconds took) { return std::chrono::duration<double>(took).count(); }

prometheus::Histogram::BucketBoundaries buckets() {
  return {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5};
}

std::string bounded_operation(std::string_view operation) {
  for (const std::string_view known : {"CREATE", "UPDATE", "DELETE", "CONNECT"}) {
    if (operation == known) return std::string(known);
  }
  return "other";
}

prometheus::Family<prometheus::Counter>& counter(prometheus::Registry& registry, const char* name,
                                                 const char* help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
}

prometheus::Family<prometheus::Histogram>& histogram(prometheus::Registry& registry, const char* name,
                                                     const char* help) {
  return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
}

}  // namespace

std::string_view name_of(Hook hook) {
  switch (hook) {
    case Hook::kWorkloads:
      return "workloads";
    case Hook::kPods:
      return "pods";
    case Hook::kTopologies:
      return "topologies";
  }
  return "other";
}

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kUnchanged:
      return "unchanged";
    case Outcome::kPatched:
      return "patched";
    case Outcome::kLeftAlone:
      return "left_alone";
    case Outcome::kDenied:
      return "denied";
    case Outcome::kFailed:
      return "failed";
  }
  return "other";
}

class Metrics::Impl {
 public:
  explicit Impl(std::shared_ptr<prometheus::Registry> registry)
      : registry_(std::move(registry)),
        requests(counter(*registry_, "toposeg_admission_requests_total", "Reviews answered.")),
        duration(histogram(*registry_, "toposeg_admission_duration_seconds",
                           "From a review's bytes to its answer.")),
        placement(histogram(*registry_, "toposeg_placement_duration_seconds", "One decision of the engine.")),
        self_checks(counter(*registry_, "toposeg_patch_self_check_failures_total",
                            "Patches that did not apply to their own object and were not sent.")
                        .Add({})),
        failures(counter(*registry_, "toposeg_admission_failures_total",
                         "Faults on our side, answered all the same.")),
        left_alone(
            counter(*registry_, "toposeg_pods_left_alone_total", "Pods that were not touched, by reason.")) {}

  std::shared_ptr<prometheus::Registry> registry_;
  prometheus::Family<prometheus::Counter>& requests;
  prometheus::Family<prometheus::Histogram>& duration;
  prometheus::Family<prometheus::Histogram>& placement;
  prometheus::Counter& self_checks;
  prometheus::Family<prometheus::Counter>& failures;
  prometheus::Family<prometheus::Counter>& left_alone;
};

Metrics::Metrics(std::shared_ptr<prometheus::Registry> registry)
    : impl_(std::make_unique<Impl>(std::move(registry))) {}
Metrics::~Metrics() = default;

void Metrics::answered(Hook hook, std::string_view operation, Outcome outcome,
                       std::chrono::nanoseconds took) {
  const std::string resource(name_of(hook));
  impl_->requests
      .Add({{"resource", resource},
            {"operation", bounded_operation(operation)},
            {"outcome", std::string(name_of(outcome))}})
      .Increment();
  impl_->duration.Add({{"resource", resource}}, buckets()).Observe(seconds(took));
}

void Metrics::malformed(Hook hook, std::chrono::nanoseconds took) {
  const std::string resource(name_of(hook));
  impl_->requests.Add({{"resource", resource}, {"operation", "other"}, {"outcome", "malformed"}}).Increment();
  impl_->duration.Add({{"resource", resource}}, buckets()).Observe(seconds(took));
}

void Metrics::placed(Hook hook, std::chrono::nanoseconds took) {
  impl_->placement.Add({{"resource", std::string(name_of(hook))}}, buckets()).Observe(seconds(took));
}

void Metrics::self_check_failed() { impl_->self_checks.Increment(); }

void Metrics::failed(Hook hook) {
  impl_->failures.Add({{"resource", std::string(name_of(hook))}}).Increment();
}

void Metrics::left_alone(SkipReason reason) {
  impl_->left_alone.Add({{"reason", std::string(name_of(reason))}}).Increment();
}

}  // namespace toposeg::webhook
