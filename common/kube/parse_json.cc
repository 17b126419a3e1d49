#include <fmt/format.h>

#include <exception>
#include <istream>
#include <string_view>
#include <utility>

#include "common/base/text.h"
#include "common/kube/parse_text.h"

namespace toposeg::kube {

namespace {

using json::Document;

constexpr int kEnd = std::char_traits<char>::eof();

bool is_space(int c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

void skip_space(TextSource& source) {
  while (is_space(source.sgetc())) source.sbumpc();
}

// The library's sentence without its number, position and the input read last, which can be long.
std::string syntax_message(std::string_view what) {
  if (what.find("UTF-8") != std::string_view::npos) return "the text is not valid UTF-8";
  constexpr std::string_view kLead = "syntax error ";
  if (const auto start = what.find(kLead); start != std::string_view::npos)
    what.remove_prefix(start + kLead.size());
  what = what.substr(0, what.find("; last read: "));
  return fmt::format("not valid JSON: {}", what);
}

class Handler {
 public:
  explicit Handler(DocumentBuilder& builder) : builder_(builder) {}

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(Document::number_integer_t value) { return add(value); }
  bool number_unsigned(Document::number_unsigned_t value) { return add(value); }
  bool number_float(Document::number_float_t value, const std::string& raw) {
    if (raw.find_first_of(".eE") != std::string::npos || builder_.skips()) return add(value);
    return builder_.refuse(Code::kInvalid,
                           fmt::format("{} is outside the 64-bit integers", truncated(raw, 40)));
  }
  // A copy, so that the lexer keeps its buffer.
  bool string(const std::string& value) {
    return builder_.value(builder_.skips() ? Document() : Document(value));
  }
  bool binary(const Document::binary_t& /*value*/) {
    return builder_.refuse(Code::kInternal, "JSON text holds no binary values");
  }
  bool start_object(std::size_t /*elements*/) { return builder_.open(Document::value_t::object); }
  bool start_array(std::size_t /*elements*/) { return builder_.open(Document::value_t::array); }
  bool end_object() { return builder_.close(); }
  bool end_array() { return builder_.close(); }
  bool key(const std::string& name) { return builder_.key(name); }
  bool parse_error(std::size_t /*position*/, const std::string& last_token,
                   const nlohmann::detail::exception& error) {
    constexpr int kOverflow = 406;
    if (error.id == kOverflow) {
      return builder_.refuse(Code::kInvalid,
                             fmt::format("{} is too large for a number", truncated(last_token, 40)));
    }
    return builder_.refuse(Code::kInvalid, syntax_message(error.what()));
  }

 private:
  template <typename Value>
  bool add(Value value) {
    return builder_.value(Document(value));
  }

  DocumentBuilder& builder_;
};

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
  Handler handler(builder);
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
