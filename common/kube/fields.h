// Typed access to members of a received object: absent and null are the same, any other type than the wanted
// one is an error that names the field, what is there and what would be right.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/json/pointer.h"

namespace toposeg::kube {

// `where` is the field path of `parent`; errors carry `where.key`. A null result pointer means absent.
[[nodiscard]] Result<const json::Document*> object_field(const json::Document* parent, std::string_view key,
                                                         const std::string& where);
[[nodiscard]] Result<const json::Document*> array_field(const json::Document* parent, std::string_view key,
                                                        const std::string& where);
// The elements of a list whose elements must all be objects; empty when absent.
[[nodiscard]] Result<std::vector<const json::Document*>> objects_field(const json::Document* parent,
                                                                       std::string_view key,
                                                                       const std::string& where);
// Text, or empty when absent.
[[nodiscard]] Result<std::string> text_field(const json::Document* parent, std::string_view key,
                                             const std::string& where);
[[nodiscard]] Result<bool> bool_field(const json::Document* parent, std::string_view key,
                                      const std::string& where);
// A whole number, or `otherwise` when absent.
[[nodiscard]] Result<std::int64_t> integer_field(const json::Document* parent, std::string_view key,
                                                 const std::string& where, std::int64_t otherwise);

// "a number", "an object", … for messages.
[[nodiscard]] std::string_view type_of(const json::Document& value);

// `where.key`, or the key alone when `where` is empty.
[[nodiscard]] std::string field(const std::string& where, std::string_view key);
// `where[i]`.
[[nodiscard]] std::string element(const std::string& where, std::size_t index);

}  // namespace toposeg::kube
