// The two parsers, from a stream to a DocumentBuilder's events, one top-level document after another.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "common/kube/document_builder.h"
#include "common/kube/text_source.h"

namespace toposeg::kube {

struct ParseRequest {
  std::string name;  // of the file, for `name:line`
  json::Limits limits;
  DocumentBuilder::Options options;
  DocumentBuilder::ItemSink on_item;  // only with stream_items
  std::function<Result<void>(json::Document document, std::size_t line)> on_document;  // not for null ones
};

// JSON texts behind each other, with white space or lines of `---` between. Refuses what json::decode()
// refuses; what is dropped is checked for its form only. Reads `source` to its end or to the first fault.
[[nodiscard]] Result<void> parse_json(TextSource& source, const ParseRequest& request);

// YAML documents: anchors, aliases and merge keys expanded, plain scalars typed by the core schema of
// YAML 1.2 (https://yaml.org/spec/1.2.2/#103-core-schema), quoted ones kept as text. What a document or a
// streamed item expands to is at most `limits.bytes`, counting text and one for each value. Refuses duplicate
// keys, keys that are no scalar, tags other than the core schema's, infinities and integers outside 64 bits.
[[nodiscard]] Result<void> parse_yaml(TextSource& source, const ParseRequest& request);

// By content: JSON when the first visible character, after a byte order mark, is a brace or a bracket;
// otherwise YAML.
[[nodiscard]] Result<void> parse_text(TextSource& source, const ParseRequest& request);

}  // namespace toposeg::kube
