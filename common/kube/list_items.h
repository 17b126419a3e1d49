// What a list says about items that say nothing: the API server leaves kind and apiVersion out of the items
// of a typed list such as NodeList.
#pragma once

#include "common/json/decode.h"

namespace toposeg::kube {

// True when `item` has a kind, or took it (with the apiVersion) from the typed list `list`.
bool complete_item(json::Document& item, const json::Document& list);

// A map of kind `List` or `…List` with `items` that are an array or null.
[[nodiscard]] bool is_list(const json::Document& document);

}  // namespace toposeg::kube
