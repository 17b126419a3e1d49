#include "common/kube/fields.h"

#include <fmt/format.h>

namespace toposeg::kube {

namespace {

std::unexpected<Error> wrong_type(const json::Document& value, std::string_view wanted, std::string where) {
  return fail(Code::kInvalid, fmt::format("must be {}, not {}", wanted, type_of(value)), std::move(where));
}

const json::Document* present(const json::Document* parent, std::string_view key) {
  const json::Document* value = json::member(parent, key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

}  // namespace

Result<const json::Document*> object_field(const json::Document* parent, std::string_view key,
                                           const std::string& where) {
  const json::Document* value = present(parent, key);
  if (value != nullptr && !value->is_object()) return wrong_type(*value, "an object", field(where, key));
  return value;
}

Result<const json::Document*> array_field(const json::Document* parent, std::string_view key,
                                          const std::string& where) {
  const json::Document* value = present(parent, key);
  if (value != nullptr && !value->is_array()) return wrong_type(*value, "a list", field(where, key));
  return value;
}

Result<std::vector<const json::Document*>> objects_field(const json::Document* parent, std::string_view key,
                                                         const std::string& where) {
  std::vector<const json::Document*> objects;
  const auto list = array_field(parent, key, where);
  if (!list) return std::unexpected(list.error());
  if (*list == nullptr) return objects;
  for (const json::Document& entry : **list) {
    if (!entry.is_object()) return wrong_type(entry, "an object", element(field(where, key), objects.size()));
    objects.push_back(&entry);
  }
  return objects;
}

Result<std::string> text_field(const json::Document* parent, std::string_view key, const std::string& where) {
  const json::Document* value = present(parent, key);
  if (value == nullptr) return std::string();
  if (!value->is_string()) return wrong_type(*value, "text", field(where, key));
  return value->get<std::string>();
}

Result<bool> bool_field(const json::Document* parent, std::string_view key, const std::string& where) {
  const json::Document* value = present(parent, key);
  if (value == nullptr) return false;
  if (!value->is_boolean()) return wrong_type(*value, "true or false", field(where, key));
  return value->get<bool>();
}

Result<std::int64_t> integer_field(const json::Document* parent, std::string_view key,
                                   const std::string& where, std::int64_t otherwise) {
  const json::Document* value = present(parent, key);
  if (value == nullptr) return otherwise;
  if (!value->is_number_integer()) return wrong_type(*value, "a whole number", field(where, key));
  if (value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX) {
    return fail(Code::kInvalid, fmt::format("{} is too large", value->dump()), field(where, key));
  }
  return value->get<std::int64_t>();
}

std::string_view type_of(const json::Document& value) {
  switch (value.type()) {
    case json::Document::value_t::object:
      return "an object";
    case json::Document::value_t::array:
      return "a list";
    case json::Document::value_t::string:
      return "text";
    case json::Document::value_t::boolean:
      return "true or false";
    case json::Document::value_t::number_float:
    case json::Document::value_t::number_integer:
    case json::Document::value_t::number_unsigned:
      return "a number";
    default:
      return "null";
  }
}

std::string field(const std::string& where, std::string_view key) {
  const bool plain = key.find_first_of("./[]\" ") == std::string_view::npos;
  if (!plain) return fmt::format("{}[{}]", where, key);
  return where.empty() ? std::string(key) : fmt::format("{}.{}", where, key);
}

std::string element(const std::string& where, std::size_t index) {
  return fmt::format("{}[{}]", where, index);
}

}  // namespace toposeg::kube
