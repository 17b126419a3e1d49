#include <fmt/format.h>

#include <exception>
#include <istream>
#include <string_view>
#include <utility>

#include "common/base/text.h"
#include "common/kube/json_events.h"
#include "common/kube/parse_text.h"

namespace toposeg::kube {

namespace {

using json::Document;

constexpr int kEnd = std::char_traits<char>::eof();

bool is_space(int c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

void skip_space(TextSource& source) {
  while (is_space(source.sgetc())) source.sbumpc();
}

void skip_byte_order_mark(TextSource& source) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (source.sgetc() != std::char_traits<char>::to_int_type(kMark.front())) return;
  for (std::size_t i = 0; i < kMark.size(); ++i) source.sbumpc();
}

// Moves to the next document; false at the end.
Result<bool> next_document(TextSource& source, const std::string& name) {
  for (;;) {
    skip_space(source);
    const int c = source.sgetc();
    if (c == kEnd) return false;
    if (c == '{' || c == '[') return true;
    int dashes = 0;
    for (; source.sgetc() == '-'; source.sbumpc()) ++dashes;
    if (dashes != 3 || (source.sgetc() != kEnd && !is_space(source.sgetc()))) {
      return fail(Code::kInvalid, "after a JSON document only another one may follow",
                  fmt::format("{}:{}", name, source.line()));
    }
  }
}

}  // namespace

Result<void> parse_json(TextSource& source, const ParseRequest& request) {
  const auto mark_and_hand_on = [&](Document item, const Document& list, std::size_t line) {
    source.mark();
    return request.on_item(std::move(item), list, line);
  };
  DocumentBuilder builder(
      request.options, request.name, [&source] { return source.line(); }, mark_and_hand_on);
  JsonEvents handler(builder);
  std::istream stream(&source);
  skip_byte_order_mark(source);
  for (;;) {
    source.mark();
    const auto found = next_document(source, request.name);
    if (!found) return std::unexpected(found.error());
    if (source.fault()) break;
    if (!*found) return {};
    try {
      const bool is_done = Document::sax_parse(stream, &handler, Document::input_format_t::json, false);
      if (source.fault()) break;
      if (!is_done) return std::unexpected(*builder.fault());
    } catch (const std::exception& error) {
      return fail(Code::kInternal, fmt::format("the JSON parser failed: {}", quote(error.what())),
                  request.name);
    }
    stream.clear();
    Document document = builder.take();
    if (document.is_null()) continue;
    if (auto done = request.on_document(std::move(document), builder.root_line()); !done) return done;
  }
  return fail(source.fault()->code, source.fault()->message,
              fmt::format("{}:{}", request.name, source.line()));
}

}  // namespace toposeg::kube
