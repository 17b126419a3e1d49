// The wire format of protocol buffers, as far as a reader needs it: one field after the other.
//
//   WireReader reader(bytes);
//   while (const auto field = reader.next()) …field->number, field->bytes…
//   if (reader.is_broken()) …
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace toposeg::kube {

struct WireField {
  std::uint64_t number = 0;
  bool has_bytes = false;   // a text, a message or bytes; else a number
  std::string_view bytes;   // lives as long as what is read
  std::uint64_t value = 0;  // of a varint; fixed numbers are passed over and stay 0
};

// Not thread safe. Linear in what is read; nothing is copied.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  // None at the end, and where the bytes are no fields.
  [[nodiscard]] std::optional<WireField> next();
  [[nodiscard]] bool is_broken() const { return broken_; }

 private:
  [[nodiscard]] std::optional<std::uint64_t> varint();
  [[nodiscard]] std::optional<std::string_view> take(std::uint64_t size);
  [[nodiscard]] bool read(std::uint64_t wire_type, WireField& field);

  std::string_view rest_;
  bool broken_ = false;
};

}  // namespace toposeg::kube
