#include "webhook/admission/hook.h"
#include "webhook/admission/warning.h"

namespace toposeg::webhook {

void take_patch(const json::Edit& edit, bool edited, Metrics& metrics, Verdict& verdict) {
  if (!edited) {
    metrics.self_check_failed();
    verdict.outcome = Outcome::kFailed;
    warn(verdict.warnings,
         "toposeg left the object as it is: a field on the way has a type that it may not have");
    return;
  }
  auto operations = edit.verified();
  if (!operations) {
    metrics.self_check_failed();
    verdict.outcome = Outcome::kFailed;
    warn(verdict.warnings, "toposeg left the object as it is: its own patch did not pass its check");
    return;
  }
  if (operations->empty()) return;
  verdict.patch = std::move(*operations);
  verdict.outcome = Outcome::kPatched;
}

}  // namespace toposeg::webhook
