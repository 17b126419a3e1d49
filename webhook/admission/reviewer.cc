#include "webhook/admission/reviewer.h"

#include <exception>

#include "webhook/admission/decision_id.h"
#include "webhook/admission/hook.h"
#include "webhook/admission/metrics.h"
#include "webhook/admission/review.h"
#include "webhook/admission/warning.h"

namespace toposeg::webhook {

class Reviewer::Impl {
 public:
  Impl(engine::Engine& engine, const config::Config& config, std::shared_ptr<prometheus::Registry> registry,
       const Clock& clock)
      : engine_(engine), config_(config), metrics_(std::move(registry)), clock_(clock) {}

  void view_age(std::function<std::chrono::seconds()> age) { age_ = std::move(age); }

  ReviewAnswer review(Hook hook, std::string_view body, std::chrono::milliseconds timeout) {
    const Instant start = clock_.now();
    auto decoded = decode_review(body);
    if (!decoded) {
      metrics_.malformed(hook, clock_.now() - start);
      return {400, refusal_text(decoded.error())};
    }
    Verdict verdict = decide(hook, *decoded, timeout);
    audit(*decoded, verdict);
    ReviewAnswer answer{200, answer_text(*decoded, verdict)};
    metrics_.answered(hook, decoded->operation, verdict.outcome, clock_.now() - start);
    return answer;
  }

 private:
  // The edge: whatever a hook throws becomes an answer that lets the object pass.
  Verdict decide(Hook hook, const Review& review, std::chrono::milliseconds timeout) {
    const HookContext context{engine_, config_, metrics_, clock_, timeout};
    try {
      switch (hook) {
        case Hook::kWorkloads:
          return review_workload(review, context);
        case Hook::kPods:
          return review_pod(review, context);
        case Hook::kTopologies:
          return review_topology(review, context);
      }
    } catch (const std::exception&) {
      metrics_.failed(hook);
    }
    Verdict verdict;
    verdict.outcome = Outcome::kFailed;
    warn(verdict.warnings,
         "toposeg left the object as it is: a fault on its own side, see its log and metrics");
    return verdict;
  }

  void audit(const Review& review, Verdict& verdict) const {
    if (verdict.outcome == Outcome::kLeftAlone) return;
    verdict.audit.emplace_back("decision", decision_id(review));
    if (age_) verdict.audit.emplace_back("view-age-seconds", std::to_string(age_().count()));
  }

  engine::Engine& engine_;
  const config::Config& config_;
  Metrics metrics_;
  const Clock& clock_;
  std::function<std::chrono::seconds()> age_;
};

Reviewer::Reviewer(engine::Engine& engine, const config::Config& config,
                   std::shared_ptr<prometheus::Registry> metrics, const Clock& clock)
    : impl_(std::make_unique<Impl>(engine, config, std::move(metrics), clock)) {}
Reviewer::~Reviewer() = default;

void Reviewer::view_age(std::function<std::chrono::seconds()> age) { impl_->view_age(std::move(age)); }

ReviewAnswer Reviewer::review(Hook hook, std::string_view body, std::chrono::milliseconds timeout) {
  try {
    return impl_->review(hook, body, timeout);
  } catch (const std::exception&) {
    return {500,
            R"({"apiVersion":"v1","kind":"Status","status":"Failure","code":500,"message":"out of memory"})"};
  }
}

}  // namespace toposeg::webhook
