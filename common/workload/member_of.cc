// A pod's place, asked of every kind in turn.
#include "common/workload/kinds/kind.h"
#include "common/workload/normalise.h"

namespace toposeg::workload {

namespace {

kube::StringMap texts_of(const json::Document* map) {
  kube::StringMap result;
  if (map == nullptr || !map->is_object()) return result;
  for (const auto& [key, value] : map->items()) {
    if (value.is_string()) kube::put(result, key, value.get<std::string>());
  }
  return result;
}

std::vector<kube::OwnerReference> owners_of(const json::Document* list) {
  std::vector<kube::OwnerReference> result;
  if (list == nullptr || !list->is_array()) return result;
  for (const json::Document& owner : *list) {
    const json::Document* controller = json::member(&owner, "controller");
    result.push_back({json::member_text(&owner, "apiVersion"), json::member_text(&owner, "kind"),
                      json::member_text(&owner, "name"), json::member_text(&owner, "uid"),
                      controller != nullptr && *controller == true});
  }
  return result;
}

}  // namespace

std::optional<Member> member_of(const kube::Pod& pod) {
  for (const auto& kind : kinds()) {
    if (auto member = kind->member(pod)) return member;
  }
  return std::nullopt;
}

std::optional<Member> member_of(const json::Document& pod, const std::string& namespace_) {
  const json::Document* metadata = json::member(&pod, "metadata");
  kube::Pod record;
  record.name = json::member_text(metadata, "name");
  record.namespace_ = json::member_text(metadata, "namespace");
  if (record.namespace_.empty()) record.namespace_ = namespace_;
  record.labels = texts_of(json::member(metadata, "labels"));
  record.annotations = texts_of(json::member(metadata, "annotations"));
  record.owners = owners_of(json::member(metadata, "ownerReferences"));
  return member_of(record);
}

}  // namespace toposeg::workload
