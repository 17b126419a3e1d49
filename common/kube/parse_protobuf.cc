#include "common/kube/parse_protobuf.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <exception>
#include <protozero/pbf_reader.hpp>
#include <utility>

#include "common/base/text.h"
#include "common/kube/protobuf_messages.h"

namespace toposeg::kube {

namespace {

using json::Document;
using protozero::pbf_wire_type;
using Reader = protozero::pbf_reader;
using namespace std::string_view_literals;

constexpr std::string_view kMagic = "k8s\0"sv;

// Everything below throws this, or an exception of protozero's, for bytes that are not what they should be.
struct Broken : std::exception {};

void expect(bool holds) {
  if (!holds) throw Broken();
}

std::string_view bytes_in(Reader& reader) {
  expect(reader.wire_type() == pbf_wire_type::length_delimited);
  const protozero::data_view view = reader.get_view();
  return {view.data(), view.size()};
}

std::string_view text_in(Reader& reader) {
  const std::string_view text = bytes_in(reader);
  expect(is_utf8(text));
  return text;
}

std::int64_t number_in(Reader& reader) {
  expect(reader.wire_type() == pbf_wire_type::varint);
  return reader.get_int64();
}

Reader message_in(Reader& reader) {
  const std::string_view bytes = bytes_in(reader);
  return Reader(bytes.data(), bytes.size());
}

// The first text of a number; empty when there is none.
std::string_view first_text(Reader message, protozero::pbf_tag_type number) {
  return message.next(number) ? text_in(message) : std::string_view();
}

std::string_view quantity_in(Reader& reader) {
  const std::string_view text = first_text(message_in(reader), 1);
  return text.empty() ? "0"sv : text;
}

// An entry of a map is a message of key and value.
template <typename ReadValue>
void read_entry(Reader entry, Document& map, const ReadValue& read_value) {
  std::string_view key;
  std::string_view value;
  while (entry.next()) {
    if (entry.tag() == 1) {
      key = text_in(entry);
    } else if (entry.tag() == 2) {
      value = read_value(entry);
    } else {
      entry.skip();
    }
  }
  map[std::string(key)] = std::string(value);
}

// An empty message is no time.
void read_time(Reader time, const WireName& name, Document& object) {
  constexpr std::int64_t kYear10000 = 253'402'300'800;
  if (time.length() == 0) return;
  std::int64_t seconds = 0;
  while (time.next()) {
    if (time.tag() == 1) {
      seconds = number_in(time);
    } else {
      time.skip();
    }
  }
  expect(seconds >= 0 && seconds < kYear10000);
  object[std::string(name.name)] =
      fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

Document& object_in(Document& parent, const WireName& name) {
  Document& child = parent[std::string(name.name)];
  if (child.is_null()) child = Document::object();
  return child;
}

Document& appended(Document& parent, const WireName& name) {
  Document& array = parent[std::string(name.name)];
  if (array.is_null()) array = Document::array();
  array.push_back(Document());
  return array.back();
}

void read_message(Reader message, const WireMessage& fields, Document& into);

void read_field(Reader& reader, const WireName& name, Document& object) {
  switch (name.kind) {
    case WireKind::kText:
      if (const std::string_view text = text_in(reader); !text.empty()) object[std::string(name.name)] = text;
      break;
    case WireKind::kInteger:
      if (const std::int64_t number = number_in(reader); number != 0) object[std::string(name.name)] = number;
      break;
    case WireKind::kFlag:
      if (number_in(reader) != 0) object[std::string(name.name)] = true;
      break;
    case WireKind::kTime:
      read_time(message_in(reader), name, object);
      break;
    case WireKind::kMessage:
      read_message(message_in(reader), *name.message, object_in(object, name));
      break;
    case WireKind::kInline:
      read_message(message_in(reader), *name.message, object);
      break;
    case WireKind::kTexts:
      appended(object, name) = text_in(reader);
      break;
    case WireKind::kMessages:
      read_message(message_in(reader), *name.message, appended(object, name) = Document::object());
      break;
    case WireKind::kTextMap:
      read_entry(message_in(reader), object_in(object, name), text_in);
      break;
    case WireKind::kQuantities:
      read_entry(message_in(reader), object_in(object, name), quantity_in);
      break;
  }
}

// Messages nest as deep as the tables do.
void read_message(Reader message, const WireMessage& fields, Document& into) {
  while (message.next()) {
    const auto name = std::find_if(fields.fields.begin(), fields.fields.end(),
                                   [&](const WireName& known) { return known.number == message.tag(); });
    if (name == fields.fields.end()) {
      message.skip();
    } else {
      read_field(message, *name, into);
    }
  }
}

// runtime.Unknown: the type, and the object's bytes.
struct Envelope {
  std::string_view api_version;
  std::string_view kind;
  Reader object;
};

Envelope open(std::string_view bytes) {
  Envelope envelope;
  Reader reader(bytes.data(), bytes.size());
  while (reader.next()) {
    if (reader.tag() == 1) {
      const Reader type = message_in(reader);
      envelope.api_version = first_text(type, 1);
      envelope.kind = first_text(type, 2);
    } else if (reader.tag() == 2) {
      envelope.object = message_in(reader);
    } else {
      reader.skip();
    }
  }
  return envelope;
}

}  // namespace

bool is_protobuf(std::string_view bytes) { return bytes.starts_with(kMagic); }

Result<Document> parse_protobuf(std::string_view bytes, const std::string& name) {
  if (!is_protobuf(bytes)) return fail(Code::kInvalid, "the object is not in protobuf form", name);
  std::string_view kind = "object";
  try {
    const Envelope envelope = open(bytes.substr(kMagic.size()));
    kind = envelope.kind;
    const WireMessage* message = message_of_kind(kind);
    if (message == nullptr) {
      return fail(Code::kInvalid,
                  fmt::format("the object is of kind {}, which is not read in protobuf form", quote(kind)),
                  name);
    }
    Document object = {{"apiVersion", envelope.api_version}, {"kind", kind}};
    read_message(envelope.object, *message, object);
    return object;
  } catch (const std::exception&) {
    return fail(Code::kInvalid, fmt::format("the {} is broken", quote(kind)), name);
  }
}

}  // namespace toposeg::kube
