#include "common/kube/label_selector.h"

#include <algorithm>

namespace toposeg::kube {

namespace {

bool has_value(const json::Document& expression, const std::string& value) {
  const json::Document* values = json::member(&expression, "values");
  return values != nullptr && values->is_array() &&
         std::any_of(values->begin(), values->end(), [&](const auto& entry) {
           return entry.is_string() && entry.template get_ref<const std::string&>() == value;
         });
}

bool holds(const json::Document& expression, const json::Document* labels) {
  const std::string* key = json::text(json::member(&expression, "key"));
  const std::string* op = json::text(json::member(&expression, "operator"));
  if (key == nullptr || op == nullptr) return false;
  const std::string* value = json::text(json::member(labels, *key));
  if (*op == "In") return value != nullptr && has_value(expression, *value);
  if (*op == "NotIn") return value == nullptr || !has_value(expression, *value);
  if (*op == "Exists") return value != nullptr;
  return *op == "DoesNotExist" && value == nullptr;
}

}  // namespace

bool selects(const json::Document* selector, const json::Document* labels) {
  if (selector == nullptr || !selector->is_object()) return false;
  const json::Document* exact = json::member(selector, "matchLabels");
  if (exact != nullptr && exact->is_object()) {
    for (const auto& [key, value] : exact->items()) {
      const std::string* have = json::text(json::member(labels, key));
      if (have == nullptr || !value.is_string() || *have != value.get_ref<const std::string&>()) return false;
    }
  }
  const json::Document* expressions = json::member(selector, "matchExpressions");
  if (expressions == nullptr || !expressions->is_array()) return true;
  return std::all_of(expressions->begin(), expressions->end(),
                     [&](const json::Document& expression) { return holds(expression, labels); });
}

}  // namespace toposeg::kube
