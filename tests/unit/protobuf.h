// Protobuf messages written by hand.
//
//   enveloped("v1", "Pod", bytes(1, bytes(1, "name")))   //
//   {"apiVersion":"v1","kind":"Pod","metadata":{"name":"name"}}
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace toposeg::test {

inline std::string varint(std::uint64_t value) {
  std::string text;
  for (; value >= 0x80U; value >>= 7U) text += static_cast<char>(value | 0x80U);
  return text + static_cast<char>(value);
}
inline std::string number(std::uint64_t field, std::uint64_t value) {
  return varint(field << 3U) + varint(value);
}
inline std::string bytes(std::uint64_t field, std::string_view content) {
  return varint(field << 3U | 2U) + varint(content.size()) + std::string(content);
}
// As the API server sends an object.
inline std::string enveloped(std::string_view version, std::string_view kind, std::string_view message) {
  return std::string("k8s\0", 4) + bytes(1, bytes(1, version) + bytes(2, kind)) + bytes(2, message);
}
// An event of a watch: four bytes of length, then as many.
inline std::string frame(std::string_view content) {
  std::string text;
  for (const int shift : {24, 16, 8, 0})
    text += static_cast<char>(content.size() >> static_cast<unsigned>(shift));
  return text + std::string(content);
}
inline std::string event_frame(std::string_view type, std::string_view object) {
  return frame(bytes(1, type) + bytes(2, bytes(1, object)));
}

}  // namespace toposeg::test
