// Editing a received object and remembering how: each change is recorded as the narrowest RFC 6902 operation,
// with missing parents created top-down, and made by applying that operation to a copy of the object. So what
// is given out was tried on the object, by the same rules as the API server's.
//
//   json::Edit edit(review["request"]["object"]);
//   edit.set({"metadata", "annotations", "toposeg.io/plan"}, plan_text);
//   auto patch = edit.verified();   // ops as a JSON array; empty array = no change
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "common/json/patcher.h"
#include "common/json/pointer.h"

namespace toposeg::json {

class Edit {
 public:
  explicit Edit(Document original) : patcher_(std::move(original)) {}

  // Adds or replaces the member at `path`, or the element of an array; the empty path is the whole document.
  // A missing or null parent becomes an object. Writing an equal value records nothing. Returns false, and
  // changes nothing, when the way leads through a value that is no object or array, or through an array index
  // out of range (index == size is: use append).
  bool set(const Path& path, Document value);

  // Appends to the array at `path`, creating it (and its parents) when missing or null. False as above.
  bool append(const Path& path, Document value);

  // Inserts into an array, before the element that has the index now: index <= size. A missing or null array
  // counts as empty and is created. False as above.
  bool insert(const Path& path, std::size_t index, Document value);

  // False when there is nothing at `path`, or it is the whole document.
  bool remove(const Path& path);

  [[nodiscard]] const Document& document() const { return patcher_.document(); }  // as it will be
  [[nodiscard]] const Document& operations() const { return operations_; }

  // The operations, each of which was applied to the object when it was recorded. kInternal if one did not
  // apply: then send nothing.
  [[nodiscard]] Result<Document> verified() const;

 private:
  // The deepest value on the way to `path` that exists, and how many tokens of the path lead there; none when
  // the way is barred.
  struct Way {
    const Document* deepest;
    std::size_t tokens;
  };
  [[nodiscard]] std::optional<Way> way(const Path& path) const;
  void record(const char* operation, const Path& path, Document value);
  void record_remove(const Path& path);
  void write(const Path& path, bool over_null, Document value);
  void apply(Document operation);

  Patcher patcher_;
  Document operations_ = Document::array();
  std::optional<Error> fault_;  // of the first operation that did not apply
};

// Applies a patch (RFC 6902) with the API server's rules: all or nothing; `add` needs its parent, which is an
// object or array, and replaces a member that exists; `remove`, `replace` and the source of `move` and `copy`
// must exist; indices in range, "-" appends; what all `copy` operations add is at most 3 MiB. Stricter than
// the server in one way: negative indices are refused. kInvalid or kTooLarge; `where` names the operation.
// Thread safe.
[[nodiscard]] Result<Document> apply(const Document& document, const Document& operations);

}  // namespace toposeg::json
