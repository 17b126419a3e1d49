#include <fmt/format.h>

#include <span>
#include <spanstream>
#include <utility>

#include "common/kube/list_items.h"
#include "common/kube/parse_text.h"
#include "common/kube/read.h"

namespace toposeg::kube {

namespace {

// O(size); as deep as lists stand in lists, which the parser bounds.
void flatten(json::Document document, std::vector<json::Document>& into) {
  if (!is_list(document)) {
    into.push_back(std::move(document));
    return;
  }
  json::Document items = std::move(document["items"]);
  for (json::Document& item : items) {
    complete_item(item, document);
    flatten(std::move(item), into);
  }
}

using Parser = Result<void> (*)(TextSource&, const ParseRequest&);

// Documents before a fault are in `documents` all the same.
Result<void> parse(std::string_view text, const std::string& name, const json::Limits& limits, Parser parser,
                   std::vector<json::Document>& documents) {
  const auto add = [&documents](json::Document document, std::size_t /*line*/) {
    flatten(std::move(document), documents);
    return Result<void>();
  };
  const ParseRequest request{.name = name,
                             .limits = limits,
                             .options = {.depth = limits.depth, .duplicate_keys = limits.duplicate_keys},
                             .on_item = {},
                             .on_document = add};
  std::ispanstream stream{std::span<const char>(text.data(), text.size())};
  TextSource source(stream, limits.bytes);
  return parser(source, request);
}

}  // namespace

Result<std::vector<json::Document>> read_documents(std::string_view text, const std::string& name,
                                                   const json::Limits& limits) {
  if (text.size() > limits.bytes) {
    return fail(Code::kTooLarge,
                fmt::format("the text has {} bytes; at most {} are read", text.size(), limits.bytes), name);
  }
  std::vector<json::Document> documents;
  auto done = parse(text, name, limits, parse_text, documents);
  if (done) return documents;
  // Maps and lists in YAML's flow style look like JSON at first sight; behind a JSON document they cannot
  // stand.
  if (done.error().code == Code::kInvalid && documents.empty()) {
    std::vector<json::Document> as_yaml;
    if (parse(text, name, limits, parse_yaml, as_yaml)) return as_yaml;
  }
  return std::unexpected(std::move(done.error()));
}

}  // namespace toposeg::kube
