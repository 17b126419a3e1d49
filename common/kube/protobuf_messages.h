// Which fields of the API server's protobuf messages are read, and how they are called in JSON. Numbers are
// those of k8s.io/api and k8s.io/apimachinery, which never change: a number that is not here is passed over.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace toposeg::kube {

enum class WireKind : std::uint8_t {
  kText,
  kInteger,
  kFlag,
  kTime,        // seconds since the epoch; RFC 3339 in JSON
  kMessage,     // an object
  kInline,      // a message whose members belong to the object around it
  kTexts,       // repeated: an array
  kMessages,    // repeated: an array of objects
  kTextMap,     // an object of texts
  kQuantities,  // an object of quantities, which are texts
};

struct WireMessage;

struct WireName {
  std::uint32_t number;
  std::string_view name;
  WireKind kind;
  const WireMessage* message = nullptr;  // of kMessage, kInline and kMessages
};

struct WireMessage {
  std::span<const WireName> fields;
};

// The message of a kind: Node, Pod or Status. None for another kind.
[[nodiscard]] const WireMessage* message_of_kind(std::string_view kind);

}  // namespace toposeg::kube
