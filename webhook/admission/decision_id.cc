#include "webhook/admission/decision_id.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "common/json/pointer.h"

namespace toposeg::webhook {
namespace {

constexpr std::array<std::string_view, 5> kServerFields = {"creationTimestamp", "generation", "managedFields",
                                                           "resourceVersion", "uid"};

class Digest {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) mix(static_cast<unsigned char>(byte));
    mix(0);  // so that "ab" + "c" differs from "a" + "bc"
  }
  [[nodiscard]] std::string text() const { return fmt::format("{:016x}", state_); }

 private:
  void mix(unsigned char byte) {
    state_ ^= byte;
    state_ *= 1'099'511'628'211ULL;
  }
  std::uint64_t state_ = 14'695'981'039'346'656'037ULL;
};

void add(Digest& digest, const json::Document& value) {
  digest.add(value.dump(-1, ' ', false, json::Document::error_handler_t::replace));
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
