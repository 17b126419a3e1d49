#include "webhook/admission/decision_id.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "common/json/pointer.h"

namespace toposeg::webhook {
namespace {

constexpr std::array<std::string_view, 5> kServerFields = {"creationTimestamp", "generation", "managedFields",
                                                           "resourceVersion", "uid"};

class Digest {
 public:
  void add(char tag) { mix(static_cast<unsigned char>(tag)); }

  void add(std::string_view bytes) {
    for (const char byte : bytes) mix(static_cast<unsigned char>(byte));
    mix(0);  // so that "ab" + "c" differs from "a" + "bc"
  }

  void add(std::uint64_t number) {
    for (unsigned shift = 0; shift < 64; shift += 8) mix(static_cast<unsigned char>(number >> shift));
  }

  [[nodiscard]] std::string text() const { return fmt::format("{:016x}", state_); }

 private:
  void mix(unsigned char byte) {
    state_ ^= byte;
    state_ *= 1'099'511'628'211ULL;
  }
  std::uint64_t state_ = 14'695'981'039'346'656'037ULL;
};

// Walks the value instead of writing it out: the text of a pod would cost more than all else in its review.
// NOLINTNEXTLINE(misc-no-recursion): bounded by the depth that the decoder accepts
void add(Digest& digest, const json::Document& value) {
  switch (value.type()) {
    case json::Document::value_t::object:
      digest.add('{');
      for (const auto& [key, member] : *value.get_ptr<const json::Document::object_t*>()) {
        digest.add(key);
        add(digest, member);
      }
      return digest.add('}');
    case json::Document::value_t::array:
      digest.add('[');
      for (const json::Document& element : value) add(digest, element);
      return digest.add(']');
    case json::Document::value_t::string:
      digest.add('s');
      return digest.add(*value.get_ptr<const std::string*>());
    case json::Document::value_t::boolean:
      return digest.add(value.get<bool>() ? 't' : 'f');
    case json::Document::value_t::number_integer:
    case json::Document::value_t::number_unsigned:
      digest.add('i');
      return digest.add(value.get<std::uint64_t>());
    case json::Document::value_t::number_float:
      digest.add('d');
      return digest.add(std::bit_cast<std::uint64_t>(value.get<double>()));
    default:  // null; binary and discarded values never come out of the decoder
      return digest.add('n');
  }
}

}  // namespace

std::string decision_id(const Review& review) {
  Digest digest;
  for (const std::string& part :
       {review.operation, review.group, review.kind, review.namespace_, review.name}) {
    digest.add(part);
  }
  const json::Document* object = review.object();
  if (object == nullptr) return digest.text();
  for (const auto& [key, value] : object->items()) {
    digest.add(key);
    if (key != "metadata" || !value.is_object()) {
      add(digest, value);
      continue;
    }
    for (const auto& [field, content] : value.items()) {
      if (std::find(kServerFields.begin(), kServerFields.end(), field) != kServerFields.end()) continue;
      digest.add(field);
      add(digest, content);
    }
  }
  return digest.text();
}

}  // namespace toposeg::webhook
