#include "common/kube/list_items.h"

#include <string>
#include <string_view>

#include "common/json/pointer.h"
#include "common/kube/document_builder.h"

namespace toposeg::kube {

bool complete_item(json::Document& item, const json::Document& list) {
  if (json::text(json::member(&item, "kind")) != nullptr) return true;
  constexpr std::string_view kSuffix = "List";
  const std::string* kind = json::text(json::member(&list, "kind"));
  if (!item.is_object() || kind == nullptr || !is_list_kind(*kind) || *kind == kSuffix) return false;
  item["kind"] = kind->substr(0, kind->size() - kSuffix.size());
  const json::Document* version = json::member(&list, "apiVersion");
  if (version != nullptr && !item.contains("apiVersion")) item["apiVersion"] = *version;
  return true;
}

bool is_list(const json::Document& document) {
  const std::string* kind = json::text(json::member(&document, "kind"));
  const json::Document* items = json::member(&document, "items");
  return kind != nullptr && is_list_kind(*kind) && items != nullptr &&
         (items->is_array() || items->is_null());
}

}  // namespace toposeg::kube
