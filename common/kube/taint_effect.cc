#include "common/kube/taint_effect.h"

#include <fmt/format.h>

#include "common/base/text.h"

namespace toposeg::kube {

Result<TaintEffect> read_taint_effect(const std::string& text, const std::string& where) {
  if (text == "NoSchedule") return TaintEffect::kNoSchedule;
  if (text == "PreferNoSchedule") return TaintEffect::kPreferNoSchedule;
  if (text == "NoExecute") return TaintEffect::kNoExecute;
  return fail(
      Code::kInvalid,
      fmt::format("{} is no taint effect: write NoSchedule, PreferNoSchedule or NoExecute", quote(text)),
      where);
}

}  // namespace toposeg::kube
