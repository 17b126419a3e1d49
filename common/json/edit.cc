#include "common/json/edit.h"

#include <string>
#include <utility>

#include "common/json/index.h"

namespace toposeg::json {

namespace {

Path head(const Path& path, std::size_t tokens) {
  return {path.begin(), path.begin() + static_cast<std::ptrdiff_t>(tokens)};
}

Path child(Path path, std::string token) {
  path.push_back(std::move(token));
  return path;
}

}  // namespace

Edit::Edit(const Document& original) : original_(original), document_(original) {}

std::optional<Edit::Way> Edit::way(const Path& path) {
  Way way{&document_, 0};
  for (; way.tokens < path.size(); ++way.tokens) {
    const Document* next = step(*way.deepest, path[way.tokens]);
    if (next == nullptr) break;
    way.deepest = const_cast<Document*>(next);
  }
  if (way.tokens == path.size()) return way;
  const bool can_grow = way.deepest->is_object() || way.deepest->is_null();
  return can_grow ? std::optional(way) : std::nullopt;
}

void Edit::record(const char* operation, const Path& path, const Document* value) {
  Document entry{{"op", operation}, {"path", to_pointer(path)}};
  if (value != nullptr) entry["value"] = *value;
  operations_.push_back(std::move(entry));
}

bool Edit::set(const Path& path, Document value) {
  const auto found = way(path);
  if (!found) return false;
  Document* here = found->deepest;
  if (found->tokens == path.size()) {
    if (*here == value) return true;
    write(path, *here, std::move(value));
    return true;
  }
  std::size_t tokens = found->tokens;
  if (here->is_null()) write(head(path, tokens), *here, Document::object());
  for (; tokens + 1 < path.size(); ++tokens) {
    here = &(*here)[path[tokens]];
    *here = Document::object();
    record("add", head(path, tokens + 1), here);
  }
  record("add", path, &value);
  (*here)[path.back()] = std::move(value);
  return true;
}

// The API server's patch library takes a null for a missing value when it replaces, so a null member is added
// over, and a null element is removed first.
void Edit::write(const Path& path, Document& target, Document value) {
  if (!target.is_null()) {
    record("replace", path, &value);
  } else {
    const bool is_element = !path.empty() && at(document_, head(path, path.size() - 1))->is_array();
    if (is_element) record("remove", path, nullptr);
    record("add", path, &value);
  }
  target = std::move(value);
}

bool Edit::append(const Path& path, Document value) {
  const Document* array = at(document_, path);
  if (array == nullptr || array->is_null()) return set(path, Document::array({std::move(value)}));
  if (!array->is_array()) return false;
  return insert(path, array->size(), std::move(value));
}

bool Edit::insert(const Path& path, std::size_t index, Document value) {
  auto* array = const_cast<Document*>(at(document_, path));
  if (array == nullptr || array->is_null()) {
    return index == 0 && set(path, Document::array({std::move(value)}));
  }
  if (!array->is_array() || index > array->size()) return false;
  record("add", child(path, index == array->size() ? "-" : std::to_string(index)), &value);
  array->insert(array->begin() + static_cast<std::ptrdiff_t>(index), std::move(value));
  return true;
}

bool Edit::remove(const Path& path) {
  if (path.empty() || at(document_, path) == nullptr) return false;
  record("remove", path, nullptr);
  auto& parent = *const_cast<Document*>(at(document_, head(path, path.size() - 1)));
  if (parent.is_array()) {
    parent.erase(*parse_index(path.back()));
  } else {
    parent.erase(path.back());
  }
  return true;
}

Result<Document> Edit::verified() const {
  if (operations_.empty()) return operations_;
  const auto applied = json::apply(original_, operations_);
  if (!applied) return fail(Code::kInternal, "the patch does not apply: " + applied.error().text());
  if (*applied != document_) return fail(Code::kInternal, "the patch does not give the edited object");
  return operations_;
}

}  // namespace toposeg::json
