#include <fmt/format.h>

#include "common/kube/effective_request.h"
#include "common/kube/fields.h"
#include "common/kube/read.h"
#include "common/kube/taint_effect.h"

namespace toposeg::kube {

namespace {

Result<void> read_taints(const json::Document* spec, Node& node) {
  const auto list = objects_field(spec, "taints", "spec");
  if (!list) return std::unexpected(list.error());
  for (std::size_t i = 0; i < list->size(); ++i) {
    const json::Document& entry = *(*list)[i];
    const std::string at = element("spec.taints", i);
    const auto key = text_field(&entry, "key", at);
    if (!key) return std::unexpected(key.error());
    const auto value = text_field(&entry, "value", at);
    if (!value) return std::unexpected(value.error());
    const auto effect_text = text_field(&entry, "effect", at);
    if (!effect_text) return std::unexpected(effect_text.error());
    const auto effect = read_taint_effect(*effect_text, field(at, "effect"));
    if (!effect) return std::unexpected(effect.error());
    node.taints.push_back({*key, *value, *effect});
  }
  return {};
}

// A node without conditions (a file written by hand) counts as ready.
bool read_ready(const json::Document* status) {
  const json::Document* conditions = json::member(status, "conditions");
  if (conditions == nullptr || !conditions->is_array()) return true;
  for (const json::Document& condition : *conditions) {
    const std::string* type = json::text(json::member(&condition, "type"));
    const std::string* value = json::text(json::member(&condition, "status"));
    if (type != nullptr && *type == "Ready") return value != nullptr && *value == "True";
  }
  return true;
}

}  // namespace

Result<Node> read_node(const json::Document& object) {
  Node node;
  const json::Document* metadata = json::member(&object, "metadata");
  const auto name = text_field(metadata, "name", "metadata");
  if (!name) return std::unexpected(name.error());
  if (name->empty()) return fail(Code::kInvalid, "a node needs a name", "metadata.name");
  node.name = *name;
  const auto labels = object_field(metadata, "labels", "metadata");
  if (!labels) return std::unexpected(labels.error());
  if (*labels != nullptr) {
    for (const auto& [key, value] : (*labels)->items()) {
      if (!value.is_string()) {
        return fail(Code::kInvalid, fmt::format("must be text, not {}", type_of(value)),
                    field("metadata.labels", key));
      }
      put(node.labels, key, value.get<std::string>());
    }
  }
  const json::Document* spec = json::member(&object, "spec");
  if (auto done = read_taints(spec, node); !done) return std::unexpected(done.error());
  const auto unschedulable = bool_field(spec, "unschedulable", "spec");
  if (!unschedulable) return std::unexpected(unschedulable.error());
  node.unschedulable = *unschedulable;
  const json::Document* status = json::member(&object, "status");
  auto allocatable = read_resources(json::member(status, "allocatable"), "status.allocatable");
  if (!allocatable) return std::unexpected(allocatable.error());
  node.allocatable = std::move(*allocatable);
  node.ready = read_ready(status);
  return node;
}

}  // namespace toposeg::kube
