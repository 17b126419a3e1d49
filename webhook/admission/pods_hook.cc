#include <fmt/format.h>

#include <optional>

#include "common/kube/read.h"
#include "common/workload/keys.h"
#include "webhook/admission/gate.h"
#include "webhook/admission/hook.h"
#include "webhook/admission/inject_env.h"
#include "webhook/admission/neutral_spread.h"
#include "webhook/admission/node_affinity.h"
#include "webhook/admission/pod_metadata.h"
#include "webhook/admission/warning.h"

namespace toposeg::webhook {
namespace {

namespace keys = workload::keys;
using engine::PodDecision;
using engine::SegmentStatus;
using json::Document;
using workload::Member;
using workload::Workload;

Verdict left_alone(SkipReason reason, const HookContext& context) {
  context.metrics.left_alone(reason);
  Verdict verdict;
  verdict.outcome = Outcome::kLeftAlone;
  return verdict;
}

// A pod that asks for a segment but belongs to nothing we know would be ignored in silence otherwise.
void warn_of_stray_keys(const Document& pod, Verdict& verdict) {
  const Document* annotations = json::at(pod, {"metadata", "annotations"});
  for (const std::string_view key : {keys::kSegmentSize, keys::kSegmentRequired, keys::kSegmentPreferred}) {
    if (json::member(annotations, key) == nullptr) continue;
    warn(verdict.warnings,
         std::string(key) + " has no effect on this pod: it belongs to no workload that has segments");
    return;
  }
}

// A leader with a template of its own carries none of the set's keys: alone it does not tell where it
// belongs.
void warn_of_unknown_set(const Member& member, const Workload& workload, const HookContext& context,
                         Verdict& verdict) {
  const bool tells = member.role != workload::Role::kLeader || workload.constrained();
  if (tells || context.engine.known(member.workload)) return;
  warn(verdict.warnings,
       fmt::format("the leader is not placed: LeaderWorkerSet \"{}\" is not known yet, and its "
                   "template asks for no level",
                   member.workload.name));
}

// What is known of the pod's workload: as it was planned, else as far as the pod itself tells.
std::optional<Workload> workload_of(const Document& pod, const Member& member, const Review& review,
                                    const HookContext& context, Verdict& verdict) {
  if (auto known = context.engine.known(member.workload)) return known;
  const auto topologies = context.engine.topologies();
  const workload::NormaliseContext reading{topologies, context.config.workloads, review.requester};
  workload::Normalised own = workload::normalise_pod(pod, member, reading);
  for (const Error& cause : own.causes) warn(verdict.warnings, "the pod is not placed: " + cause.text());
  if (!own.causes.empty()) {
    verdict.outcome = Outcome::kFailed;
    return std::nullopt;
  }
  return std::move(own.workload);
}

std::optional<PodDecision> decide(const Document& pod, const Member& member, const Workload& workload,
                                  const Review& review, const HookContext& context, Verdict& verdict) {
  // Without a level there is nothing to decide: the pod is only numbered.
  if (!workload.constrained()) return context.engine.place(member, workload, {});
  const Document* spec = json::member(&pod, "spec");
  const Document none = Document::object();
  const auto shape =
      kube::read_pod_spec(spec != nullptr ? *spec : none, json::at(pod, {"metadata", "labels"}), "spec");
  if (!shape) {
    warn(verdict.warnings, "the pod is not placed: " + shape.error().text());
    verdict.outcome = Outcome::kFailed;
    return std::nullopt;
  }
  const Instant start = context.clock.now();
  auto decision =
      context.engine.place(member, workload, *shape, {.reserve = !review.dry_run, .budget = context.timeout});
  context.metrics.placed(Hook::kPods, context.clock.now() - start);
  return decision;
}

bool write_affinity(json::Edit& edit, const PodDecision& decision) {
  return require_domain(edit, decision.levels, decision.required) &&
         prefer_domain(edit, decision.levels, decision.preferred, decision.required.size(),
                       decision.host.empty() ? std::string() : decision.host_label_value);
}

// A pod that waits will prefer a place too; by then only its node affinity can be changed.
bool write_spreading(json::Edit& edit, const PodDecision& decision, const HookContext& context) {
  const bool prefers =
      decision.status == SegmentStatus::kWaiting || !decision.preferred.empty() || !decision.host.empty();
  return !context.config.pods.neutral_spreading || !prefers || neutralise_spreading(edit);
}

bool wants_env(const Document& pod, const Workload& workload) {
  const std::string* own =
      json::text(json::at(pod, {"metadata", "annotations", std::string(keys::kInjectEnv)}));
  return own != nullptr ? *own == "true" : workload.inject_env;
}

bool write_decision(json::Edit& edit, const PodDecision& decision, const Workload& workload,
                    const HookContext& context) {
  const bool waits = decision.status == SegmentStatus::kWaiting;
  const bool gated = waits && context.config.pods.when_unfit == config::WhenUnfit::kGate;
  if (!describe_place(edit, decision)) return false;
  if (!(gated ? close_gate(edit) : open_gate(edit))) return false;
  if (!gated && !write_affinity(edit, decision)) return false;
  if (!write_spreading(edit, decision, context)) return false;
  return !wants_env(edit.document(), workload) || inject_env(edit, decision);
}

}  // namespace

Verdict review_pod(Review& review, const HookContext& context) {
  Verdict verdict;
  Document* pod = review.object();
  const bool ours = review.kind == "Pod" && review.group.empty() && review.sub_resource.empty();
  if (!ours || review.operation != "CREATE" || pod == nullptr) {
    verdict.outcome = Outcome::kLeftAlone;
    return verdict;
  }
  if (const auto reason = reason_to_skip(*pod, review.namespace_, context.config.pods)) {
    return left_alone(*reason, context);
  }
  const auto member = workload::member_of(*pod, review.namespace_);
  if (!member) {
    verdict = left_alone(SkipReason::kNotMember, context);
    warn_of_stray_keys(*pod, verdict);
    return verdict;
  }
  if (context.engine.removed(member->workload)) return left_alone(SkipReason::kGone, context);
  const auto workload = workload_of(*pod, *member, review, context, verdict);
  if (!workload) return verdict;
  warn_of_unknown_set(*member, *workload, context, verdict);
  if (!workload->constrained() && workload->segments.size == 0)
    return left_alone(SkipReason::kNoInputs, context);
  const auto decision = decide(*pod, *member, *workload, review, context, verdict);
  if (!decision) return verdict;
  verdict.decision = decision;
  const bool waits = decision->status == SegmentStatus::kWaiting;
  if (waits && context.config.pods.when_unfit == config::WhenUnfit::kRefuse) {
    verdict.outcome = Outcome::kDenied;
    verdict.causes.push_back({Code::kUnfit, decision->reason, {}});
    return verdict;
  }
  warn(verdict.warnings, decision->reason);
  json::Edit edit(std::move(*pod));
  take_patch(edit, write_decision(edit, *decision, *workload, context), context.metrics, verdict);
  return verdict;
}

}  // namespace toposeg::webhook
