#include "common/workload/annotation.h"

#include <fmt/format.h>

#include "common/base/text.h"

namespace toposeg::workload {

namespace {

const json::Document* value_of(const json::Document& object, const AnnotationMap& map, std::string_view key) {
  return json::at(object, path_of(map, key));
}

bool is_scalar(const json::Document& value) { return value.is_number() || value.is_boolean(); }

}  // namespace

std::string where_of(const AnnotationMap& map, std::string_view key) {
  return fmt::format("{}[{}]{}", json::to_field(map.path), key, map.wrapped ? ".value" : "");
}

json::Path path_of(const AnnotationMap& map, std::string_view key) {
  json::Path path = map.path;
  path.emplace_back(key);
  if (map.wrapped) path.emplace_back("value");
  return path;
}

bool has_annotation(const json::Document& object, const AnnotationMap& map, std::string_view key) {
  return json::member(json::at(object, map.path), key) != nullptr;
}

const std::string* annotation_text(const json::Document& object, const AnnotationMap& map,
                                   std::string_view key) {
  return json::text(value_of(object, map, key));
}

std::optional<Written> read_annotation(const json::Document& object, const AnnotationMap& map,
                                       std::string_view key, Findings& findings) {
  if (!has_annotation(object, map, key)) return std::nullopt;
  const json::Document* value = value_of(object, map, key);
  const std::string* text = json::text(value);
  if (value == nullptr || value->is_null() || (text != nullptr && text->empty())) {
    findings.warn(fmt::format("{} in {} is empty, which counts as absent", key, map.place));
    return std::nullopt;
  }
  if (text != nullptr) return Written{*text, where_of(map, key)};
  findings.refuse(where_of(map, key),
                  is_scalar(*value)
                      ? fmt::format("annotation values are text and this is {}; write it in quotes: \"{}\"",
                                    describe(*value), value->dump())
                      : fmt::format("annotation values are text in quotes and this is {}", describe(*value)));
  return std::nullopt;
}

std::string describe(const json::Document& value) {
  if (value.is_number()) return "the number " + value.dump();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_string()) return "the text " + quote(value.get_ref<const std::string&>());
  if (value.is_array()) return "a list";
  if (value.is_object()) return "a map";
  return "null";
}

}  // namespace toposeg::workload
