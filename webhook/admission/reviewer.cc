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
    ReviewAnswer answer;
    const auto decoded = decode_review(body);
    if (!decoded) {
      metrics_.malformed(hook, clock_.now() - start);
      answer.http_status = 400;
      answer.body = refusal_text(decoded.error());
      return answer;
    }
    Verdict verdict = decide(hook, *decoded, timeout, answer.fault);
    answer.uid = decoded->uid;
    answer.outcome = name_of(verdict.outcome);
    answer.decision = audit(*decoded, verdict);
    answer.body = answer_text(*decoded, verdict);
    metrics_.answered(hook, decoded->operation, verdict.outcome, clock_.now() - start);
    return answer;
  }

 private:
  // The edge: whatever a hook throws becomes an answer that lets the object pass.
  Verdict decide(Hook hook, const Review& review, std::chrono::milliseconds timeout, std::string& fault) {
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
    } catch (const std::exception& error) {
      metrics_.failed(hook);
      fault = error.what();
    }
    Verdict verdict;
    verdict.outcome = Outcome::kFailed;
    warn(verdict.warnings,
         "toposeg left the object as it is: a fault on its own side, see its log and metrics");
    return verdict;
  }

  // Returns the decision's id.
  [[nodiscard]] std::string audit(const Review& review, Verdict& verdict) const {
    if (verdict.outcome == Outcome::kLeftAlone) return {};
    std::string decision = decision_id(review);
    verdict.audit.emplace_back("decision", decision);
    if (age_) verdict.audit.emplace_back("view-age-seconds", std::to_string(age_().count()));
    return decision;
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
  } catch (const std::exception& error) {
    ReviewAnswer answer;
    answer.http_status = 500;
    answer.body =
        R"({"apiVersion":"v1","kind":"Status","status":"Failure","code":500,"message":"out of memory"})";
    answer.fault = error.what();
    return answer;
  }
}

}  // namespace toposeg::webhook
