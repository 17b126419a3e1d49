#include "engine/cli/planned_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <ostream>
#include <utility>

#include "common/json/pointer.h"
#include "common/workload/keys.h"

namespace toposeg::cli {
namespace {

constexpr std::string_view kDefaultNamespace = "default";
constexpr std::string_view kDefaultFieldManager = "kubectl-create";

workload::Requester requester_of(const SenderOptions& sender) {
  workload::Requester requester{sender.user, sender.groups, sender.field_manager};
  if (sender.user.empty() && sender.field_manager.empty()) requester.field_manager = kDefaultFieldManager;
  return requester;
}

void complete_identity(workload::Identity& identity, const json::Document& object, const Options& options,
                       int number) {
  if (identity.namespace_.empty()) {
    identity.namespace_ =
        options.cluster.namespace_.empty() ? std::string(kDefaultNamespace) : options.cluster.namespace_;
  }
  if (identity.name.empty()) {
    const std::string* prefix = json::text(json::at(object, {"metadata", "generateName"}));
    identity.name = fmt::format("{}<{}>", prefix == nullptr ? "" : *prefix, number);
  }
}

Outcome outcome_of(const PlannedWorkload& planned) {
  const bool unfit_only = std::all_of(planned.causes.begin(), planned.causes.end(),
                                      [](const Error& cause) { return cause.code == Code::kUnfit; });
  if (!unfit_only) return Outcome::kRefused;
  return planned.plan.fits && planned.causes.empty() ? Outcome::kPlaced : Outcome::kUnfit;
}

}  // namespace

config::WorkloadConfig workload_config(const config::Config& config, const SenderOptions& sender) {
  config::WorkloadConfig result = config.workloads;
  if (!sender.managed) return result;
  const auto first_other =
      std::find_if(result.managed_rules.begin(), result.managed_rules.end(),
                   [](const auto& rule) { return rule.annotation != workload::keys::kAutomatic; });
  config::ManagedRule everything;
  everything.name = "--managed";
  result.managed_rules.insert(first_other, everything);
  return result;
}

PlannedWorkload plan_workload(const json::Document& object, const Options& options, int number,
                              Session& session) {
  PlannedWorkload planned;
  const config::WorkloadConfig config = workload_config(session.config(), options.sender);
  const workload::NormaliseContext context{session.topologies(), config, requester_of(options.sender)};
  planned.normalised = workload::normalise(object, context);
  complete_identity(planned.normalised.workload.identity, object, options, number);
  planned.warnings = planned.normalised.warnings;
  planned.causes = planned.normalised.causes;
  if (planned.causes.empty()) {
    planned.plan = session.engine().plan(planned.workload(), {.reserve = true});
    planned.causes = planned.plan.refused;
    std::copy(planned.plan.warnings.begin(), planned.plan.warnings.end(),
              std::back_inserter(planned.warnings));
  }
  planned.outcome = outcome_of(planned);
  return planned;
}

std::string title(const workload::Identity& identity) {
  return fmt::format("{} {}/{}", identity.kind, identity.namespace_, identity.name);
}

std::string resource_name(const workload::Identity& identity) {
  std::string kind = identity.kind;
  std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return std::tolower(c); });
  return fmt::format("{}.{}/{}", kind, identity.api_group, identity.name);
}

void print_findings(std::ostream& err, const PlannedWorkload& planned) {
  for (const std::string& warning : planned.warnings) err << "Warning: " << warning << '\n';
  if (planned.causes.empty()) return;
  err << "error: " << title(planned.workload().identity)
      << (planned.outcome == Outcome::kRefused ? " is refused:\n" : " cannot be planned:\n");
  for (const Error& cause : planned.causes) err << "  " << cause.text() << '\n';
}

}  // namespace toposeg::cli
