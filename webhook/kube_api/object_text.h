// What a reflector reads in the texts of the API server: items of lists, and events of watches.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/json/decode.h"
#include "common/kube/parse_object.h"
#include "webhook/kube_api/known_objects.h"
#include "webhook/kube_api/resource.h"

namespace toposeg::webhook::kube_api {

enum class EventType : std::uint8_t { kAdded, kModified, kDeleted, kBookmark, kError, kUnknown };

struct WatchEvent {
  EventType type = EventType::kUnknown;
  json::Document object;  // an object, a Status for kError
};

// One line of a watch. kInvalid when it is no event.
[[nodiscard]] Result<WatchEvent> parse_watch_event(std::string_view line, kube::Filter filter,
                                                   const Resource& resource);

// One frame of a watch in protobuf form, with what records read. kInvalid when it is no event.
[[nodiscard]] Result<WatchEvent> parse_watch_frame(std::string_view frame, const Resource& resource);

// One item of a list, with the kind and the apiVersion that the API server leaves out of it.
[[nodiscard]] Result<json::Document> parse_item(std::string_view text, kube::Filter filter,
                                                const Resource& resource);

struct ObjectIdentity {
  ObjectKey key;
  std::string version;  // metadata.resourceVersion, opaque
};

// kInvalid without a name.
[[nodiscard]] Result<ObjectIdentity> identity_of(const json::Document& object);

// metadata.resourceVersion of an object, a bookmark or a list; empty when there is none.
[[nodiscard]] std::string version_of(const json::Document& object);

// True for the bookmark that ends the initial events of a watch with sendInitialEvents.
[[nodiscard]] bool ends_initial_events(const json::Document& bookmark);

}  // namespace toposeg::webhook::kube_api
