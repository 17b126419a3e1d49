#include "webhook/admission/reviewer.h"

#include <exception>

#include "common/json/pointer.h"
#include "webhook/admission/decision_id.h"
#include "webhook/admission/hook.h"
#include "webhook/admission/metrics.h"
#include "webhook/admission/review.h"
#include "webhook/admission/warning.h"

namespace toposeg::webhook {

namespace {

// Of a pod that exists the API server lets nothing else of the spec change, and that only while it is gated.
json::Document changes_of_existing(const json::Document& patch) {
  json::Document allowed = json::Document::array();
  for (const json::Document& operation : patch) {
    const std::string* path = json::text(json::member(&operation, "path"));
    if (path == nullptr) continue;
    const bool may_change = path->starts_with("/metadata/") || path->starts_with("/spec/affinity") ||
                            path->starts_with("/spec/schedulingGates");
    if (may_change) allowed.push_back(operation);
  }
  return allowed;
}

}  // namespace

class Reviewer::Impl {
 public:
  Impl(engine::Engine& engine, const config::Config& config, std::shared_ptr<prometheus::Registry> registry,
       const Clock& clock)
      : engine_(engine), config_(config), metrics_(std::move(registry)), clock_(clock) {}

  void view_age(std::function<std::chrono::seconds()> age) { age_ = std::move(age); }

  ReviewAnswer review(Hook hook, std::string_view body, std::chrono::milliseconds timeout) {
    const Instant start = clock_.now();
    ReviewAnswer answer;
    auto decoded = decode_review(body);
    if (!decoded) {
      metrics_.malformed(hook, clock_.now() - start);
      answer.http_status = 400;
      answer.body = refusal_text(decoded.error());
      return answer;
    }
    const std::string decision = decision_id(*decoded);  // first: the hook may take the object
    Verdict verdict = decide(hook, *decoded, timeout, answer.fault);
    answer.uid = decoded->uid;
    answer.outcome = name_of(verdict.outcome);
    if (verdict.outcome != Outcome::kLeftAlone) {
      audit(decision, verdict);
      answer.decision = decision;
    }
    answer.body = answer_text(*decoded, verdict);
    metrics_.answered(hook, decoded->operation, verdict.outcome, clock_.now() - start);
    return answer;
  }

  void give_back(const workload::Member& member) { engine_.give_back(member); }

  Retried retry(const json::Document& pod, const std::string& namespace_, std::chrono::milliseconds timeout,
                Intent intent) {
    Review review;
    review.dry_run = intent == Intent::kAsk;
    review.kind = "Pod";
    review.operation = "CREATE";
    review.namespace_ = namespace_;
    review.document["request"]["object"] = pod;
    Retried retried;
    const auto member = workload::member_of(pod, namespace_);
    if (!member || !engine_.known(member->workload)) return retried;  // it goes the way of its workload
    Verdict verdict = decide(Hook::kPods, review, timeout, retried.fault);
    if (!verdict.decision) {
      if (retried.fault.empty()) {
        retried.fault = verdict.warnings.empty() ? "it belongs to no workload that has segments"
                                                 : verdict.warnings.front();
      }
      return retried;
    }
    const engine::PodDecision& decision = *verdict.decision;
    retried.waits = decision.status == engine::SegmentStatus::kWaiting;
    retried.reason = decision.reason;
    retried.patch = changes_of_existing(verdict.patch);
    retried.segment = decision.segment;
    retried.domain = decision.preferred.empty() ? decision.required : decision.preferred;
    if (decision.level && *decision.level >= 0)
      retried.level = decision.levels.at(static_cast<std::size_t>(*decision.level));
    return retried;
  }

 private:
  // The edge: whatever a hook throws becomes an answer that lets the object pass.
  Verdict decide(Hook hook, Review& review, std::chrono::milliseconds timeout, std::string& fault) {
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

  void audit(const std::string& decision, Verdict& verdict) const {
    verdict.audit.emplace_back("decision", decision);
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
  } catch (const std::exception& error) {
    ReviewAnswer answer;
    answer.http_status = 500;
    answer.body =
        R"({"apiVersion":"v1","kind":"Status","status":"Failure","code":500,"message":"out of memory"})";
    answer.fault = error.what();
    return answer;
  }
}

void Reviewer::give_back(const workload::Member& member) { impl_->give_back(member); }

Retried Reviewer::retry(const json::Document& pod, const std::string& namespace_,
                        std::chrono::milliseconds timeout, Intent intent) {
  try {
    return impl_->retry(pod, namespace_, timeout, intent);
  } catch (const std::exception& error) {
    Retried retried;
    retried.fault = error.what();
    return retried;
  }
}

}  // namespace toposeg::webhook
