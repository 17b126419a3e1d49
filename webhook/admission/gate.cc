#include "webhook/admission/gate.h"

#include <optional>

#include "common/workload/keys.h"

namespace toposeg::webhook {
namespace {

const json::Path& gates_path() {
  static const json::Path path{"spec", "schedulingGates"};
  return path;
}

std::optional<std::size_t> find_gate(const json::Document& pod) {
  const json::Document* gates = json::at(pod, gates_path());
  if (gates == nullptr || !gates->is_array()) return std::nullopt;
  for (std::size_t i = 0; i < gates->size(); ++i) {
    const std::string* name = json::text(json::member(&(*gates)[i], "name"));
    if (name != nullptr && *name == workload::keys::kWaitingGate) return i;
  }
  return std::nullopt;
}

}  // namespace

bool close_gate(json::Edit& edit) {
  if (find_gate(edit.document())) return true;
  return edit.append(gates_path(), {{"name", workload::keys::kWaitingGate}});
}

bool open_gate(json::Edit& edit) {
  const auto index = find_gate(edit.document());
  if (!index) return true;
  json::Path path = gates_path();
  path.push_back(std::to_string(*index));
  return edit.remove(path);
}

}  // namespace toposeg::webhook
