#include "common/kube/parse_protobuf.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "common/base/text.h"
#include "common/kube/protobuf_messages.h"
#include "common/kube/protobuf_wire.h"

namespace toposeg::kube {

namespace {

using json::Document;
using namespace std::string_view_literals;

constexpr std::string_view kMagic = "k8s\0"sv;

bool is_text(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t size = character_bytes(bytes);
    if (size == 0) return false;
    bytes.remove_prefix(size);
  }
  return true;
}

// The first field of a number that holds bytes; none when there is none, or the message is broken.
std::optional<std::string_view> bytes_of(std::string_view message, std::uint64_t number) {
  WireReader reader(message);
  while (const auto field = reader.next()) {
    if (field->number == number && field->has_bytes) return field->bytes;
  }
  return std::nullopt;
}

// An entry of a map is a message of key and value.
struct Entry {
  std::string_view key;
  std::string_view value;
};

std::optional<Entry> read_entry(std::string_view message) {
  Entry entry;
  WireReader reader(message);
  while (const auto field = reader.next()) {
    if (!field->has_bytes) return std::nullopt;
    if (field->number == 1) entry.key = field->bytes;
    if (field->number == 2) entry.value = field->bytes;
  }
  if (reader.is_broken() || !is_text(entry.key)) return std::nullopt;
  return entry;
}

// All of the following are false for bytes that are not what they should be. Messages nest as deep as the
// tables do.
bool read_message(std::string_view bytes, const WireMessage& message, Document& into);

bool read_text(std::string_view bytes, Document& into) {
  if (!is_text(bytes)) return false;
  into = std::string(bytes);
  return true;
}

bool read_text_map(std::string_view bytes, Document& map) {
  const auto entry = read_entry(bytes);
  return entry && read_text(entry->value, map[std::string(entry->key)]);
}

bool read_quantities(std::string_view bytes, Document& map) {
  const auto entry = read_entry(bytes);
  return entry && read_text(bytes_of(entry->value, 1).value_or("0"sv), map[std::string(entry->key)]);
}

// An empty message is no time.
bool read_time(std::string_view bytes, const WireName& name, Document& object) {
  constexpr std::int64_t kYear10000 = 253'402'300'800;
  std::int64_t seconds = 0;
  WireReader reader(bytes);
  while (const auto field = reader.next()) {
    if (field->number == 1) seconds = static_cast<std::int64_t>(field->value);
  }
  if (reader.is_broken() || seconds < 0 || seconds >= kYear10000) return false;
  if (!bytes.empty()) {
    object[std::string(name.name)] =
        fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds)));
  }
  return true;
}

Document& object_in(Document& parent, const WireName& name) {
  Document& child = parent[std::string(name.name)];
  if (child.is_null()) child = Document::object();
  return child;
}

bool append(std::string_view bytes, const WireName& name, Document& object) {
  Document& array = object[std::string(name.name)];
  if (array.is_null()) array = Document::array();
  array.push_back(name.message == nullptr ? Document() : Document::object());
  return name.message == nullptr ? read_text(bytes, array.back())
                                 : read_message(bytes, *name.message, array.back());
}

bool read_bytes(std::string_view bytes, const WireName& name, Document& object) {
  switch (name.kind) {
    case WireKind::kText:
      return bytes.empty() || read_text(bytes, object[std::string(name.name)]);
    case WireKind::kTime:
      return read_time(bytes, name, object);
    case WireKind::kMessage:
      return read_message(bytes, *name.message, object_in(object, name));
    case WireKind::kInline:
      return read_message(bytes, *name.message, object);
    case WireKind::kTexts:
    case WireKind::kMessages:
      return append(bytes, name, object);
    case WireKind::kTextMap:
      return read_text_map(bytes, object_in(object, name));
    case WireKind::kQuantities:
      return read_quantities(bytes, object_in(object, name));
    case WireKind::kInteger:
    case WireKind::kFlag:
      break;
  }
  return false;
}

bool read_number(std::uint64_t value, const WireName& name, Document& object) {
  if (name.kind != WireKind::kInteger && name.kind != WireKind::kFlag) return false;
  if (value == 0) return true;
  Document& number = object[std::string(name.name)];
  if (name.kind == WireKind::kFlag) {
    number = true;
  } else {
    number = static_cast<std::int64_t>(value);
  }
  return true;
}

bool read_message(std::string_view bytes, const WireMessage& message, Document& into) {
  WireReader reader(bytes);
  while (const auto field = reader.next()) {
    const auto name = std::find_if(message.fields.begin(), message.fields.end(),
                                   [&](const WireName& known) { return known.number == field->number; });
    if (name == message.fields.end()) continue;
    const bool done =
        field->has_bytes ? read_bytes(field->bytes, *name, into) : read_number(field->value, *name, into);
    if (!done) return false;
  }
  return !reader.is_broken();
}

}  // namespace

bool is_protobuf(std::string_view bytes) { return bytes.starts_with(kMagic); }

Result<Document> parse_protobuf(std::string_view bytes, const std::string& name) {
  if (!is_protobuf(bytes)) return fail(Code::kInvalid, "the object is not in protobuf form", name);
  const std::string_view envelope = bytes.substr(kMagic.size());
  const std::string_view type = bytes_of(envelope, 1).value_or(""sv);
  const std::string_view kind = bytes_of(type, 2).value_or(""sv);
  const WireMessage* message = message_of_kind(kind);
  if (message == nullptr) {
    return fail(Code::kInvalid,
                fmt::format("the object is of kind {}, which is not read in protobuf form", quote(kind)),
                name);
  }
  Document object = Document::object();
  if (!read_text(bytes_of(type, 1).value_or(""sv), object["apiVersion"]) ||
      !read_text(kind, object["kind"]) ||
      !read_message(bytes_of(envelope, 2).value_or(""sv), *message, object)) {
    return fail(Code::kInvalid, fmt::format("the {} is broken", quote(kind)), name);
  }
  return object;
}

}  // namespace toposeg::kube
