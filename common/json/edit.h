// Editing a received object and remembering how: each change is made on a copy and recorded as the narrowest
// RFC 6902 operation, with missing parents created top-down. What is sent is proved first by verified().
//
//   json::Edit edit(review["request"]["object"]);
//   edit.set({"metadata", "annotations", "toposeg.io/plan"}, plan_text);
//   auto patch = edit.verified();   // ops as a JSON array; empty array = no change
#pragma once

#include "common/json/pointer.h"

namespace toposeg::json {

class Edit {
 public:
  // Keeps a reference to `original`, which must outlive the edit.
  explicit Edit(const Document& original);

  // Adds or replaces the member at `path`. A missing or null parent becomes an object. Writing an equal value records
  // nothing. Returns false, and changes nothing, when the way leads through a value that is no object or array, or
  // through an array index out of range.
  bool set(const Path& path, Document value);

  // Appends to the array at `path`, creating it (and its parents) when missing or null. False as above.
  bool append(const Path& path, Document value);

  // Inserts at the front part of an array: index <= size.
  bool insert(const Path& path, std::size_t index, Document value);

  bool remove(const Path& path);

  [[nodiscard]] const Document& document() const { return document_; }  // as it will be
  [[nodiscard]] const Document& operations() const { return operations_; }

  // The operations, after applying them to the original gave exactly document(). kInternal if not: then send nothing.
  [[nodiscard]] Result<Document> verified() const;

 private:
  const Document& original_;
  Document document_;
  Document operations_ = Document::array();
};

// Applies a patch with the API server's rules (all or nothing; `add` needs its parent; indices in range). Thread safe.
[[nodiscard]] Result<Document> apply(const Document& document, const Document& operations);

}  // namespace toposeg::json
