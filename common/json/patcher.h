// The operations of RFC 6902 section 4 on a document of its own, with the API server's rules (see apply() in
// edit.h).
#pragma once

#include <cstddef>
#include <utility>

#include "common/json/pointer.h"

namespace toposeg::json {

class Patcher {
 public:
  explicit Patcher(Document document) : document_(std::move(document)) {}

  // One operation. kInvalid or kTooLarge; the document may then be half changed and is to be dropped.
  [[nodiscard]] Result<void> apply(const Document& operation);

  [[nodiscard]] const Document& document() const { return document_; }
  [[nodiscard]] Document take() { return std::move(document_); }

 private:
  [[nodiscard]] Result<void> add(const Path& path, Document value);
  [[nodiscard]] Result<void> remove(const Path& path);
  [[nodiscard]] Result<void> replace(const Path& path, const Document& value);
  [[nodiscard]] Result<void> move(const Path& from, const Path& path);
  [[nodiscard]] Result<void> copy(const Path& from, const Path& path);
  [[nodiscard]] Result<void> test(const Path& path, const Document& value) const;

  [[nodiscard]] Document* find(const Path& path) { return const_cast<Document*>(at(document_, path)); }

  Document document_;
  std::size_t copied_bytes_ = 0;
};

}  // namespace toposeg::json
