#include "common/json/pointer.h"

#include <algorithm>

#include "common/base/text.h"
#include "common/json/index.h"

namespace toposeg::json {

namespace {

bool is_plain(std::string_view token) {
  return !token.empty() && std::all_of(token.begin(), token.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

}  // namespace

std::string escape(std::string_view token) {
  std::string out;
  out.reserve(token.size());
  for (const char c : token) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string to_pointer(const Path& path) {
  std::string out;
  for (const std::string& token : path) {
    out += '/';
    out += escape(token);
  }
  return out;
}

std::string to_field(const Path& path) {
  std::string out;
  for (const std::string& token : path) {
    if (parse_index(token)) {
      out += '[' + token + ']';
    } else if (is_plain(token)) {
      if (!out.empty()) out += '.';
      out += token;
    } else {
      out += '[' + quote(token) + ']';
    }
  }
  return out;
}

std::optional<Path> parse_pointer(std::string_view pointer) {
  Path path;
  if (pointer.empty()) return path;
  if (pointer.front() != '/') return std::nullopt;
  bool escaped = false;
  for (const char c : pointer) {
    if (escaped) {
      if (c != '0' && c != '1') return std::nullopt;
      path.back() += c == '0' ? '~' : '/';
      escaped = false;
    } else if (c == '/') {
      path.emplace_back();
    } else if (c == '~') {
      escaped = true;
    } else {
      path.back() += c;
    }
  }
  if (escaped) return std::nullopt;
  return path;
}

const Document* step(const Document& value, const std::string& token) {
  if (const auto* object = value.get_ptr<const Document::object_t*>()) {
    const auto found = object->find(token);
    return found == object->end() ? nullptr : &found->second;
  }
  if (const auto* array = value.get_ptr<const Document::array_t*>()) {
    const auto index = parse_index(token);
    return index && *index < array->size() ? &(*array)[*index] : nullptr;
  }
  return nullptr;
}

const Document* at(const Document& root, const Path& path) {
  const Document* here = &root;
  for (const std::string& token : path) {
    here = step(*here, token);
    if (here == nullptr) return nullptr;
  }
  return here;
}

const Document* member(const Document* value, std::string_view key) {
  if (value == nullptr) return nullptr;
  const auto* object = value->get_ptr<const Document::object_t*>();
  if (object == nullptr) return nullptr;
  const auto found = object->find(key);
  return found == object->end() ? nullptr : &found->second;
}

const std::string* text(const Document* value) {
  return value == nullptr ? nullptr : value->get_ptr<const std::string*>();
}

std::string text_at(const Document& root, const Path& path) {
  const std::string* found = text(at(root, path));
  return found != nullptr ? *found : std::string();
}

std::string member_text(const Document* object, std::string_view key) {
  const std::string* found = text(member(object, key));
  return found != nullptr ? *found : std::string();
}

}  // namespace toposeg::json
