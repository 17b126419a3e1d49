#include <fmt/format.h>

#include <algorithm>

#include "common/workload/keys.h"
#include "webhook/admission/hook.h"
#include "webhook/admission/plan_annotation.h"
#include "webhook/admission/segment_inputs.h"
#include "webhook/admission/warning.h"

namespace toposeg::webhook {
namespace {

namespace keys = workload::keys;
using json::Document;
using workload::Normalised;

constexpr std::size_t kReasonsShown = 6;

json::Path plan_path() { return {"metadata", "annotations", std::string(keys::kPlan)}; }

bool acts_on(const Review& review) {
  return review.sub_resource.empty() && (review.operation == "CREATE" || review.operation == "UPDATE");
}

// On an UPDATE a template is written only where the UPDATE itself changed the part of the spec that holds it:
// for a LeaderWorkerSet any other change of its template restarts the running groups.
bool may_write(const json::Path& path, const Document& object, const Document* old_object) {
  if (old_object == nullptr || path.size() < 2 || path.front() != "spec") return true;
  const json::Path part(path.begin(), path.begin() + 2);
  const Document* now = json::at(object, part);
  const Document* before = json::at(*old_object, part);
  return now == nullptr || before == nullptr || *now != *before;
}

bool write_additions(json::Edit& edit, const Normalised& normalised, const Review& review, Verdict& verdict) {
  const Document* old_object = review.operation == "UPDATE" ? review.old_object() : nullptr;
  bool held_back = false;
  for (const workload::Addition& addition : normalised.additions) {
    if (!may_write(addition.path, *review.object(), old_object)) {
      held_back = true;
    } else if (!edit.set(addition.path, addition.value)) {
      return false;
    }
  }
  if (held_back) {
    warn(verdict.warnings, "templates are left as they are, since changing them may restart running pods");
  }
  return true;
}

void warn_of_plan(const engine::Plan& plan, Verdict& verdict) {
  for (const std::string& warning : plan.warnings) warn(verdict.warnings, warning);
  for (const Error& refused : plan.refused)
    warn(verdict.warnings, "nothing is planned yet: " + refused.text());
  std::size_t shown = 0;
  std::size_t hidden = 0;
  const auto show = [&](const engine::PlannedGroup& group, const std::string& reason) {
    if (shown >= kReasonsShown) {
      ++hidden;
      return;
    }
    ++shown;
    warn(verdict.warnings,
         plan.groups.size() > 1 ? fmt::format("group {}: {}", group.group, reason) : reason);
  };
  for (const engine::PlannedGroup& group : plan.groups) {
    for (const engine::PlannedSegment& segment : group.segments) {
      for (const std::string& reason : segment.reasons) show(group, reason);
    }
    for (const std::string& reason : group.reasons) show(group, reason);
  }
  if (hidden > 0) warn(verdict.warnings, fmt::format("and {} more reasons like these", hidden));
}

bool write_plan(json::Edit& edit, const engine::Plan& plan, Verdict& verdict) {
  if (!plan.refused.empty()) return true;
  const auto text = plan_annotation(summarise(plan));
  if (text) return edit.set(plan_path(), *text);
  warn(verdict.warnings,
       fmt::format("the plan is longer than {} KiB, so {} is left out; the pods are placed by it",
                   kPlanAnnotationBytes >> 10U, keys::kPlan));
  return json::at(edit.document(), plan_path()) == nullptr || edit.remove(plan_path());
}

// Plans and reserves what the object asks for, or lets go of what it no longer asks for. The engine itself
// holds nothing for a suspended workload or for one without a name.
bool plan_and_write(json::Edit& edit, const workload::Workload& workload, const Review& review,
                    const HookContext& context, Verdict& verdict) {
  if (!workload.constrained()) {
    if (review.operation != "UPDATE") return true;
    if (!review.dry_run) context.engine.forget_workload(workload.identity);
    return json::at(edit.document(), plan_path()) == nullptr || edit.remove(plan_path());
  }
  const Instant start = context.clock.now();
  const engine::Plan plan =
      context.engine.plan(workload, {.reserve = !review.dry_run, .budget = context.timeout});
  context.metrics.placed(Hook::kWorkloads, context.clock.now() - start);
  warn_of_plan(plan, verdict);
  return write_plan(edit, plan, verdict);
}

void add_new_warnings(const Normalised& before, const Normalised& after, Verdict& verdict) {
  for (const std::string& warning : after.warnings) {
    const bool old =
        std::find(before.warnings.begin(), before.warnings.end(), warning) != before.warnings.end();
    if (!old) warn(verdict.warnings, warning);
  }
}

}  // namespace

Verdict review_workload(const Review& review, const HookContext& context) {
  Verdict verdict;
  const Document* object = review.object();
  if (object == nullptr || !acts_on(review) || !workload::is_workload(*object) || being_deleted(*object)) {
    verdict.outcome = Outcome::kLeftAlone;
    return verdict;
  }
  const auto topologies = context.engine.topologies();
  const workload::NormaliseContext reading{topologies, context.config.workloads, review.requester};
  Normalised normalised = workload::normalise(*object, reading);
  workload::Workload& workload = normalised.workload;
  if (workload.identity.namespace_.empty()) workload.identity.namespace_ = review.namespace_;
  if (review.operation == "UPDATE" && review.old_object() != nullptr) {
    const Normalised before = workload::normalise(*review.old_object(), reading);
    if (!inputs_changed(before, normalised)) {
      add_new_warnings(before, normalised, verdict);
      const bool suspends = normalised.causes.empty() && workload.suspended && !before.workload.suspended;
      // Its pods are about to go: the space that is held for them is free.
      if (suspends && !review.dry_run) context.engine.upsert_workload(workload);
      return verdict;
    }
  }
  for (const std::string& warning : normalised.warnings) warn(verdict.warnings, warning);
  if (!normalised.causes.empty()) {
    verdict.outcome = Outcome::kDenied;
    verdict.causes = std::move(normalised.causes);
    return verdict;
  }
  json::Edit edit(*object);
  const bool edited = write_additions(edit, normalised, review, verdict) &&
                      plan_and_write(edit, workload, review, context, verdict);
  take_patch(edit, edited, context.metrics, verdict);
  return verdict;
}

}  // namespace toposeg::webhook
