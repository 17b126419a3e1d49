// The events of the JSON library's parser, given to a DocumentBuilder. For this room's parsers only.
#pragma once

#include <string>
#include <string_view>

#include "common/kube/document_builder.h"

namespace toposeg::kube {

class JsonEvents {
 public:
  explicit JsonEvents(DocumentBuilder& builder) : builder_(builder) {}

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(json::Document::number_integer_t value) { return add(value); }
  bool number_unsigned(json::Document::number_unsigned_t value) { return add(value); }
  bool number_float(json::Document::number_float_t value, const std::string& raw);
  // A copy, so that the lexer keeps its buffer.
  bool string(const std::string& value) {
    return builder_.value(builder_.skips() ? json::Document() : json::Document(value));
  }
  bool binary(const json::Document::binary_t& value);
  bool start_object(std::size_t /*elements*/) { return builder_.open(json::Document::value_t::object); }
  bool start_array(std::size_t /*elements*/) { return builder_.open(json::Document::value_t::array); }
  bool end_object() { return builder_.close(); }
  bool end_array() { return builder_.close(); }
  bool key(const std::string& name) { return builder_.key(name); }
  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::detail::exception& error);

 private:
  template <typename Value>
  bool add(Value value) {
    return builder_.value(json::Document(value));
  }

  DocumentBuilder& builder_;
};

}  // namespace toposeg::kube
