#include "webhook/kube_api/object_text.h"

#include <array>
#include <protozero/pbf_reader.hpp>
#include <utility>

#include "common/json/pointer.h"
#include "common/kube/parse_protobuf.h"

namespace toposeg::webhook::kube_api {

namespace {

constexpr std::array<std::pair<std::string_view, EventType>, 5> kTypes = {{{"ADDED", EventType::kAdded},
                                                                           {"MODIFIED", EventType::kModified},
                                                                           {"DELETED", EventType::kDeleted},
                                                                           {"BOOKMARK", EventType::kBookmark},
                                                                           {"ERROR", EventType::kError}}};

EventType type_of(std::string_view name) {
  for (const auto& [known, type] : kTypes) {
    if (known == name) return type;
  }
  return EventType::kUnknown;
}

std::string text_in(const json::Document* parent, std::string_view key) {
  const std::string* text = json::text(json::member(parent, key));
  return text == nullptr ? std::string() : *text;
}

// The field of a protobuf message that has this number; empty when there is none.
std::string_view bytes_of(std::string_view message, protozero::pbf_tag_type number) {
  protozero::pbf_reader reader(message.data(), message.size());
  if (!reader.next(number, protozero::pbf_wire_type::length_delimited)) return {};
  const protozero::data_view view = reader.get_view();
  return {view.data(), view.size()};
}

}  // namespace

Result<WatchEvent> parse_watch_event(std::string_view line, kube::Filter filter, const Resource& resource) {
  auto event = kube::parse_object(line, filter, "watch of " + resource.name());
  if (!event) return std::unexpected(event.error());
  const std::string* type = json::text(json::member(&*event, "type"));
  const auto object = event->find("object");
  if (type == nullptr || object == event->end() || !object->is_object()) {
    return fail(Code::kInvalid, "the event has no type or no object", "watch of " + resource.name());
  }
  return WatchEvent{type_of(*type), std::move(*object)};
}

Result<WatchEvent> parse_watch_frame(std::string_view frame, const Resource& resource) {
  const std::string name = "watch of " + resource.name();
  std::string_view type;
  std::string_view raw;
  try {
    type = bytes_of(frame, 1);
    raw = bytes_of(bytes_of(frame, 2), 1);
  } catch (const protozero::exception&) {
    type = {};
  }
  if (type.empty() || raw.empty()) return fail(Code::kInvalid, "the event has no type or no object", name);
  auto object = kube::parse_protobuf(raw, name);
  if (!object) return std::unexpected(object.error());
  return WatchEvent{type_of(type), *std::move(object)};
}

Result<json::Document> parse_item(std::string_view text, kube::Filter filter, const Resource& resource) {
  auto item = kube::parse_object(text, filter, "list of " + resource.name());
  if (!item) return item;
  if (!item->contains("kind")) (*item)["kind"] = resource.kind;
  if (!item->contains("apiVersion")) (*item)["apiVersion"] = resource.api_version();
  return item;
}

Result<ObjectIdentity> identity_of(const json::Document& object) {
  const json::Document* metadata = json::member(&object, "metadata");
  ObjectIdentity identity{{text_in(metadata, "namespace"), text_in(metadata, "name")},
                          text_in(metadata, "resourceVersion")};
  if (identity.key.name.empty()) return fail(Code::kInvalid, "an object has no name", "metadata.name");
  return identity;
}

std::string version_of(const json::Document& object) {
  return text_in(json::member(&object, "metadata"), "resourceVersion");
}

bool ends_initial_events(const json::Document& bookmark) {
  const json::Document* annotations = json::member(json::member(&bookmark, "metadata"), "annotations");
  return text_in(annotations, "k8s.io/initial-events-end") == "true";
}

}  // namespace toposeg::webhook::kube_api
