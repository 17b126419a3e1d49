#include "common/json/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/text.h"
#include "common/json/pointer.h"

namespace toposeg::json {

namespace {

// Reads through a shared place, so that the handler knows how far the lexer is: SAX events carry no position.
class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char** place, const char* end) : place_(place), end_(end) {}
  reference operator*() const { return **place_; }
  Cursor& operator++() {
    ++*place_;
    return *this;
  }
  Cursor operator++(int) {
    Cursor before = *this;
    ++*place_;
    return before;
  }
  friend bool operator==(const Cursor& a, const Cursor& b) { return a.left() == b.left(); }

 private:
  [[nodiscard]] bool left() const { return place_ != nullptr && *place_ != end_; }

  const char** place_;  // nullptr = the end
  const char* end_;
};

struct Fault {
  Code code;
  std::size_t offset;  // bytes before the place that is meant
  std::string message;
};

// The library's sentence without its number and position, and with at most a short, printable piece of the
// input.
std::string syntax_message(std::string_view what, const std::string& last_token) {
  if (what.find("UTF-8") != std::string_view::npos) return "the text is not valid UTF-8 here";
  constexpr std::string_view kLead = "syntax error ";
  if (const auto start = what.find(kLead); start != std::string_view::npos)
    what.remove_prefix(start + kLead.size());
  if (const auto read = what.find("; last read: "); read != std::string_view::npos)
    what = what.substr(0, read);
  constexpr std::size_t kShown = 24;
  const std::string_view token(last_token);
  const std::string_view tail = token.size() <= kShown ? token : token.substr(token.size() - kShown);
  return fmt::format("not valid JSON: {}{}", what, tail.empty() ? "" : ", at " + quote(tail));
}

// Builds the document as the events come. Each frame is an open container.
class Handler {
 public:
  Handler(const Limits& limits, std::string_view text, const char* const* place)
      : limits_(limits), text_(text), place_(place) {}

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(Document::number_integer_t value) { return add(value); }
  bool number_unsigned(Document::number_unsigned_t value) { return add(value); }

  bool number_float(Document::number_float_t value, const std::string& raw) {
    // The lexer falls back to a double, losing digits, for an integer that it cannot hold.
    if (raw.find_first_of(".eE") != std::string::npos) return add(value);
    return refuse(Code::kInvalid, raw.size() + 1,
                  fmt::format("{} is outside the 64-bit integers{}", shown_number(raw), inside()));
  }

  bool string(const std::string& value) { return add(value); }
  bool binary(const Document::binary_t& /*value*/) {
    return refuse(Code::kInternal, 0, "JSON text holds no binary values");
  }

  bool start_object(std::size_t /*elements*/) { return open(Document::value_t::object); }
  bool start_array(std::size_t /*elements*/) { return open(Document::value_t::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(const std::string& name) {
    Frame& frame = frames_.back();
    const auto [member, is_new] = frame.object->try_emplace(name, nullptr);
    if (!is_new && !limits_.duplicate_keys) {
      frame.key = nullptr;
      return refuse(Code::kInvalid, member->first.size() + 2,
                    fmt::format("key {} appears twice{}", quote(member->first), inside()));
    }
    frame.key = &member->first;
    frame.value = &member->second;
    return true;
  }

  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::detail::exception& error) {
    constexpr int kOverflow = 406;
    if (error.id == kOverflow) {
      return refuse(Code::kInvalid, last_token.size() + 1,
                    fmt::format("{} is too large for a number{}", shown_number(last_token), inside()));
    }
    fault_ =
        Fault{Code::kInvalid, position == 0 ? 0 : position - 1, syntax_message(error.what(), last_token)};
    return false;
  }

  [[nodiscard]] const std::optional<Fault>& fault() const { return fault_; }
  [[nodiscard]] Document& root() { return root_; }

 private:
  struct Frame {
    Document::object_t* object = nullptr;  // one of the two
    Document::array_t* array = nullptr;
    const std::string* key = nullptr;  // of the member in work; owned by the object
    Document* value = nullptr;
  };

  template <typename Value>
  bool add(Value&& value) {
    place(std::forward<Value>(value));
    return true;
  }

  template <typename Value>
  Document* place(Value&& value) {
    if (frames_.empty()) {
      root_ = std::forward<Value>(value);
      return &root_;
    }
    const Frame& frame = frames_.back();
    if (frame.array != nullptr) return &frame.array->emplace_back(std::forward<Value>(value));
    *frame.value = std::forward<Value>(value);
    return frame.value;
  }

  bool open(Document::value_t type) {
    if (frames_.size() == limits_.depth) {
      return refuse(Code::kTooLarge, 1, fmt::format("nested deeper than {} levels", limits_.depth));
    }
    Document* container = place(Document(type));
    Frame frame;
    if (type == Document::value_t::array) {
      frame.array = container->get_ptr<Document::array_t*>();
    } else {
      frame.object = container->get_ptr<Document::object_t*>();
    }
    frames_.push_back(frame);
    return true;
  }

  bool close() {
    frames_.pop_back();
    return true;
  }

  // `back` = bytes from the place that is meant to where the lexer is.
  bool refuse(Code code, std::size_t back, std::string message) {
    const auto read = static_cast<std::size_t>(*place_ - text_.data());
    fault_ = Fault{code, read - std::min(back, read), std::move(message)};
    return false;
  }

  // " in spec.containers[0]", or nothing at the root.
  [[nodiscard]] std::string inside() const {
    Path path;
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      const Frame& frame = frames_[i];
      if (frame.array != nullptr) {
        const bool holds_next_frame = i + 1 < frames_.size();
        path.push_back(std::to_string(frame.array->size() - (holds_next_frame ? 1 : 0)));
      } else if (frame.key != nullptr) {
        path.push_back(*frame.key);
      }
    }
    return path.empty() ? std::string() : " in " + truncated(to_field(path), kLongestField);
  }

  static std::string shown_number(std::string_view raw) { return truncated(raw, kLongestNumber); }

  static constexpr std::size_t kLongestField = 200;
  static constexpr std::size_t kLongestNumber = 40;

  const Limits& limits_;
  std::string_view text_;
  const char* const* place_;
  Document root_;
  std::vector<Frame> frames_;
  std::optional<Fault> fault_;
};

std::string line_and_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto newline = before.rfind('\n');
  const std::size_t column = 1 + (newline == std::string_view::npos ? offset : offset - newline - 1);
  return fmt::format("line {}, column {}", line, column);
}

std::unexpected<Error> failure(std::string_view text, Fault fault) {
  return fail(fault.code, std::move(fault.message),
              line_and_column(text, std::min(fault.offset, text.size())));
}

}  // namespace

Result<Document> decode(std::string_view text, const Limits& limits) {
  if (text.size() > limits.bytes) {
    return fail(Code::kTooLarge,
                fmt::format("the text has {} bytes; at most {} are read", text.size(), limits.bytes));
  }
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* place = begin;
  try {
    // Good input does not pay for knowing where a fault is; a text that is refused is read once more.
    if (text.find('\0') == std::string_view::npos) {
      Handler handler(limits, text, &place);
      if (Document::sax_parse(begin, end, &handler)) return std::move(handler.root());
    }
  } catch (const std::exception& error) {
    return fail(Code::kInternal, fmt::format("the JSON parser failed: {}", quote(error.what())));
  }
  Handler handler(limits, text, &place);
  try {
    const bool parsed = Document::sax_parse(Cursor(&place, end), Cursor(nullptr, nullptr), &handler);
    if (!parsed) {
      if (handler.fault()) return failure(text, *handler.fault());
      return fail(Code::kInternal, "the JSON parser stopped without a reason");
    }
  } catch (const std::exception& error) {
    return fail(Code::kInternal, fmt::format("the JSON parser failed: {}", quote(error.what())));
  }
  // The lexer takes a NUL byte for the end of its input, and consumes it, which the real end is not.
  if (const auto read = static_cast<std::size_t>(place - text.data()); read > 0 && text[read - 1] == '\0') {
    return failure(text, {Code::kInvalid, read - 1, "a NUL byte follows the value"});
  }
  return std::move(handler.root());
}

}  // namespace toposeg::json
