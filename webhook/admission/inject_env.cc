#include "webhook/admission/inject_env.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace toposeg::webhook {
namespace {

using json::Document;
using json::Path;

using Variables = std::array<std::pair<std::string, std::string>, 4>;

bool defines(const Document* env, const std::string& name) {
  return env != nullptr && env->is_array() &&
         std::any_of(env->begin(), env->end(), [&](const Document& variable) {
           const std::string* text = json::text(json::member(&variable, "name"));
           return text != nullptr && *text == name;
         });
}

bool inject_into(json::Edit& edit, const Path& env_path, const Variables& variables) {
  for (const auto& [name, value] : variables) {
    if (defines(json::at(edit.document(), env_path), name)) continue;
    if (!edit.append(env_path, {{"name", name}, {"value", value}})) return false;
  }
  return true;
}

}  // namespace

bool inject_env(json::Edit& edit, const engine::PodDecision& decision) {
  if (!decision.segment) return true;
  const Variables variables{{{"TOPOSEG_SEGMENT", std::to_string(*decision.segment)},
                             {"TOPOSEG_SEGMENT_RANK", std::to_string(decision.segment_rank)},
                             {"TOPOSEG_SEGMENT_SIZE", std::to_string(decision.segment_size)},
                             {"TOPOSEG_SEGMENTS", std::to_string(decision.segments)}}};
  for (const char* list : {"initContainers", "containers"}) {
    const Document* containers = json::at(edit.document(), {"spec", list});
    const std::size_t count = containers != nullptr && containers->is_array() ? containers->size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!inject_into(edit, {"spec", list, std::to_string(i), "env"}, variables)) return false;
    }
  }
  return true;
}

}  // namespace toposeg::webhook
