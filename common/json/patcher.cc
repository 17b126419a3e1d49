#include "common/json/patcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "common/base/text.h"
#include "common/json/edit.h"
#include "common/json/index.h"

namespace toposeg::json {

namespace {

constexpr std::size_t kMostCopiedBytes = 3U << 20U;  // the API server's JSONPatchMaxCopyBytes

std::unexpected<Error> invalid(std::string message) { return fail(Code::kInvalid, std::move(message)); }

std::unexpected<Error> missing(const Path& path) {
  return invalid(fmt::format("nothing is at {}", quote(to_pointer(path))));
}

Path parent_of(const Path& path) { return {path.begin(), std::prev(path.end())}; }

bool is_inside(const Path& path, const Path& container) {
  return path.size() > container.size() && std::equal(container.begin(), container.end(), path.begin());
}

Result<Path> read_path(const Document& operation, std::string_view key) {
  const Document* value = member(&operation, key);
  if (value == nullptr) return invalid(fmt::format("{} is missing", quote(key)));
  const std::string* pointer = text(value);
  if (pointer == nullptr)
    return invalid(fmt::format("{} is a {}, not a string", quote(key), value->type_name()));
  auto path = parse_pointer(*pointer);
  if (!path) return invalid(fmt::format("{} is {}, not a JSON pointer", quote(key), quote(*pointer)));
  return *std::move(path);
}

}  // namespace

Result<void> Patcher::add(const Path& path, Document value) {
  if (path.empty()) {
    document_ = std::move(value);
    return {};
  }
  const Path parent_path = parent_of(path);
  Document* parent = find(parent_path);
  if (parent == nullptr)
    return invalid(fmt::format("the parent {} is missing", quote(to_pointer(parent_path))));
  if (auto* object = parent->get_ptr<Document::object_t*>()) {
    object->insert_or_assign(path.back(), std::move(value));
    return {};
  }
  auto* array = parent->get_ptr<Document::array_t*>();
  if (array == nullptr) {
    return invalid(fmt::format("the parent {} is a {}, neither an object nor an array",
                               quote(to_pointer(parent_path)), parent->type_name()));
  }
  const auto index = path.back() == "-" ? array->size() : parse_index(path.back());
  if (!index || *index > array->size()) {
    return invalid(fmt::format("{} is no index to add at in the array {} of {}", quote(path.back()),
                               quote(to_pointer(parent_path)), array->size()));
  }
  array->insert(array->begin() + static_cast<std::ptrdiff_t>(*index), std::move(value));
  return {};
}

Result<void> Patcher::remove(const Path& path) {
  if (path.empty()) return invalid("the whole document cannot be removed");
  if (find(path) == nullptr) return missing(path);
  Document& parent = *find(parent_of(path));
  if (auto* object = parent.get_ptr<Document::object_t*>()) {
    object->erase(path.back());
  } else {
    parent.erase(*parse_index(path.back()));
  }
  return {};
}

Result<void> Patcher::replace(const Path& path, const Document& value) {
  Document* target = find(path);
  if (target == nullptr) return missing(path);
  *target = value;
  return {};
}

Result<void> Patcher::move(const Path& from, const Path& path) {
  if (is_inside(path, from))
    return invalid(fmt::format("{} cannot move into itself", quote(to_pointer(from))));
  Document* source = find(from);
  if (source == nullptr) return missing(from);
  if (from == path) return {};
  Document value = std::move(*source);
  if (auto removed = remove(from); !removed) return removed;
  return add(path, std::move(value));
}

Result<void> Patcher::copy(const Path& from, const Path& path) {
  const Document* source = find(from);
  if (source == nullptr) return missing(from);
  copied_bytes_ += source->dump(-1, ' ', false, Document::error_handler_t::replace).size();
  if (copied_bytes_ > kMostCopiedBytes) {
    return fail(Code::kTooLarge, fmt::format("the copies add up to more than {} bytes", kMostCopiedBytes));
  }
  return add(path, *source);
}

Result<void> Patcher::test(const Path& path, const Document& value) const {
  const Document* found = at(document_, path);
  if (found == nullptr) return missing(path);
  if (*found != value) return invalid(fmt::format("the value at {} is another one", quote(to_pointer(path))));
  return {};
}

Result<void> Patcher::apply(const Document& operation) {
  const std::string* name = text(member(&operation, "op"));
  if (name == nullptr) return invalid(R"(no object with a string "op")");
  const auto path = read_path(operation, "path");
  if (!path) return std::unexpected(path.error());
  if (*name == "remove") return remove(*path);
  if (*name == "move" || *name == "copy") {
    const auto from = read_path(operation, "from");
    if (!from) return std::unexpected(from.error());
    return *name == "move" ? move(*from, *path) : copy(*from, *path);
  }
  if (*name != "add" && *name != "replace" && *name != "test") {
    return invalid(
        fmt::format("\"op\" is {}; it can be add, remove, replace, move, copy or test", quote(*name)));
  }
  const Document* value = member(&operation, "value");
  if (value == nullptr) return invalid(R"("value" is missing)");
  if (*name == "add") return add(*path, *value);
  return *name == "replace" ? replace(*path, *value) : test(*path, *value);
}

Result<Document> apply(const Document& document, const Document& operations) {
  const auto* list = operations.get_ptr<const Document::array_t*>();
  if (list == nullptr)
    return invalid(fmt::format("a patch is an array of operations; this is {}", operations.type_name()));
  Patcher patcher(document);
  for (std::size_t i = 0; i < list->size(); ++i) {
    if (auto outcome = patcher.apply((*list)[i]); !outcome) {
      Error error = std::move(outcome.error());
      error.where = fmt::format("operation {}", i + 1);
      return std::unexpected(std::move(error));
    }
  }
  return patcher.take();
}

}  // namespace toposeg::json
