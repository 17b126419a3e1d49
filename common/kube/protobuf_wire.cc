#include "common/kube/protobuf_wire.h"

namespace toposeg::kube {

std::optional<WireField> WireReader::next() {
  if (rest_.empty() || broken_) return std::nullopt;
  WireField field;
  const auto tag = varint();
  if (tag) field.number = *tag >> 3U;
  if (tag && field.number != 0 && read(*tag & 7U, field)) return field;
  broken_ = true;
  return std::nullopt;
}

bool WireReader::read(std::uint64_t wire_type, WireField& field) {
  constexpr std::uint64_t kVarint = 0;
  constexpr std::uint64_t kFixed64 = 1;
  constexpr std::uint64_t kBytes = 2;
  constexpr std::uint64_t kFixed32 = 5;
  switch (wire_type) {
    case kVarint: {
      const auto value = varint();
      field.value = value.value_or(0);
      return value.has_value();
    }
    case kFixed64:
      return take(8).has_value();
    case kFixed32:
      return take(4).has_value();
    case kBytes: {
      const auto size = varint();
      const auto bytes = size ? take(*size) : std::nullopt;
      field.has_bytes = true;
      field.bytes = bytes.value_or(std::string_view());
      return bytes.has_value();
    }
    default:  // groups are of older times
      return false;
  }
}

std::optional<std::uint64_t> WireReader::varint() {
  constexpr unsigned kMostBits = 64;
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < kMostBits && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80U) return value;
  }
  return std::nullopt;
}

std::optional<std::string_view> WireReader::take(std::uint64_t size) {
  if (size > rest_.size()) return std::nullopt;
  const std::string_view bytes = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return bytes;
}

}  // namespace toposeg::kube
