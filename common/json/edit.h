// Editing a received object and remembering how: each change is made on a copy and recorded as the narrowest
// RFC 6902 operation, with missing parents created top-down. What is sent is proved first by verified().
//
//   json::Edit edit(review["request"]["object"]);
//   edit.set({"metadata", "annotations", "toposeg.io/plan"}, plan_text);
//   auto patch = edit.verified();   // ops as a JSON array; empty array = no change
#pragma once

#include <cstddef>
#include <optional>

#include "common/json/pointer.h"

namespace toposeg::json {

class Edit {
 public:
  // Keeps a reference to `original`, which must outlive the edit.
  explicit Edit(const Document& original);

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

  [[nodiscard]] const Document& document() const { return document_; }  // as it will be
  [[nodiscard]] const Document& operations() const { return operations_; }

  // The operations, after applying them to the original gave exactly document(). kInternal if not: then send
  // nothing.
  [[nodiscard]] Result<Document> verified() const;

 private:
  // The container that `path` leads into and how many tokens of it exist; none when the way is barred.
  struct Way {
    Document* deepest;   // last value on the way that exists
    std::size_t tokens;  // how many tokens lead there; path.size() when the value at the path itself exists
  };
  [[nodiscard]] std::optional<Way> way(const Path& path);
  void record(const char* operation, const Path& path, const Document* value);
  void write(const Path& path, Document& target, Document value);

  const Document& original_;
  Document document_;
  Document operations_ = Document::array();
};

// Applies a patch (RFC 6902) with the API server's rules: all or nothing; `add` needs its parent, which is an
// object or array, and replaces a member that exists; `remove`, `replace` and the source of `move` and `copy`
// must exist; indices in range, "-" appends; what all `copy` operations add is at most 3 MiB. Stricter than
// the server in one way: negative indices are refused. kInvalid or kTooLarge; `where` names the operation.
// Thread safe.
[[nodiscard]] Result<Document> apply(const Document& document, const Document& operations);

}  // namespace toposeg::json
