#include "common/json/edit.h"

#include <string>
#include <utility>

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

std::optional<Edit::Way> Edit::way(const Path& path) const {
  Way way{&document(), 0};
  for (; way.tokens < path.size(); ++way.tokens) {
    const Document* next = step(*way.deepest, path[way.tokens]);
    if (next == nullptr) break;
    way.deepest = next;
  }
  if (way.tokens == path.size()) return way;
  const bool can_grow = way.deepest->is_object() || way.deepest->is_null();
  return can_grow ? std::optional(way) : std::nullopt;
}

void Edit::apply(Document operation) {
  if (auto applied = patcher_.apply(operation); !applied && !fault_) fault_ = std::move(applied.error());
  operations_.push_back(std::move(operation));
}

void Edit::record(const char* operation, const Path& path, Document value) {
  apply({{"op", operation}, {"path", to_pointer(path)}, {"value", std::move(value)}});
}

void Edit::record_remove(const Path& path) { apply({{"op", "remove"}, {"path", to_pointer(path)}}); }

bool Edit::set(const Path& path, Document value) {
  const auto found = way(path);
  if (!found) return false;
  std::size_t tokens = found->tokens;
  const bool over_null = found->deepest->is_null();
  if (tokens == path.size()) {
    if (*found->deepest != value) write(path, over_null, std::move(value));
    return true;
  }
  if (over_null) write(head(path, tokens), over_null, Document::object());
  while (++tokens < path.size()) record("add", head(path, tokens), Document::object());
  record("add", path, std::move(value));
  return true;
}

// The API server's patch library takes a null for a missing value when it replaces, so a null member is added
// over, and a null element is removed first.
void Edit::write(const Path& path, bool over_null, Document value) {
  if (!over_null) return record("replace", path, std::move(value));
  const bool is_element = !path.empty() && at(document(), head(path, path.size() - 1))->is_array();
  if (is_element) record_remove(path);
  record("add", path, std::move(value));
}

bool Edit::append(const Path& path, Document value) {
  const Document* array = at(document(), path);
  if (array == nullptr || array->is_null()) return set(path, Document::array({std::move(value)}));
  if (!array->is_array()) return false;
  return insert(path, array->size(), std::move(value));
}

bool Edit::insert(const Path& path, std::size_t index, Document value) {
  const Document* array = at(document(), path);
  if (array == nullptr || array->is_null()) {
    return index == 0 && set(path, Document::array({std::move(value)}));
  }
  if (!array->is_array() || index > array->size()) return false;
  record("add", child(path, index == array->size() ? "-" : std::to_string(index)), std::move(value));
  return true;
}

bool Edit::remove(const Path& path) {
  if (path.empty() || at(document(), path) == nullptr) return false;
  record_remove(path);
  return true;
}

Result<Document> Edit::verified() const {
  if (fault_) return fail(Code::kInternal, "the patch does not apply: " + fault_->text());
  return operations_;
}

}  // namespace toposeg::json
