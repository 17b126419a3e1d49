#include "webhook/server/head.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace toposeg::webhook {
namespace {

using std::string_view;

constexpr std::size_t kLongestTarget = 4096;
constexpr std::size_t kMostFields = 100;
constexpr std::chrono::milliseconds kDefaultTimeout{10'000};
constexpr std::chrono::milliseconds kLongestTimeout{30'000};  // the API server's own upper bound

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
bool is_token_character(char c) {
  return is_alphanumeric(c) || string_view("!#$%&'*+-.^_`|~").find(c) != string_view::npos;
}
bool is_token(string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_character);
}
bool is_field_value(string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](unsigned char c) { return (c < ' ' && c != '\t') || c == 127; });
}
bool is_target(string_view text) {
  return text.starts_with('/') &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 127; });
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool same_word(string_view a, string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

string_view trim(string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Calls `visit` with each comma-separated element, trimmed.
template <typename Visit>
void for_each_element(string_view list, Visit visit) {
  for (std::size_t start = 0; start <= list.size();) {
    const std::size_t comma = std::min(list.find(',', start), list.size());
    visit(trim(list.substr(start, comma - start)));
    start = comma + 1;
  }
}

// The fields that decide how the message is understood; of each only one may come.
enum Known : std::uint8_t {
  kHost,
  kContentLength,
  kContentType,
  kContentEncoding,
  kTransferEncoding,
  kExpect,
  kTraceParent,
  kKnown
};
constexpr std::array<string_view, kKnown> kKnownNames{
    "host",   "content-length", "content-type", "content-encoding", "transfer-encoding",
    "expect", "traceparent"};

struct Fields {
  std::array<std::optional<string_view>, kKnown> known;
  bool close = false;
  bool keep = false;
};

std::optional<Refusal> add_field(Fields& fields, string_view line) {
  const auto colon = line.find(':');
  if (colon == string_view::npos || !is_token(line.substr(0, colon))) return Refusal::kMalformed;
  const string_view name = line.substr(0, colon);
  const string_view value = trim(line.substr(colon + 1));
  if (!is_field_value(value)) return Refusal::kMalformed;
  if (same_word(name, "connection")) {
    for_each_element(value, [&](string_view option) {
      fields.close = fields.close || same_word(option, "close");
      fields.keep = fields.keep || same_word(option, "keep-alive");
    });
    return std::nullopt;
  }
  for (std::size_t i = 0; i < kKnown; ++i) {
    if (!same_word(name, kKnownNames.at(i))) continue;
    if (fields.known.at(i)) return Refusal::kMalformed;
    fields.known.at(i) = value;
  }
  return std::nullopt;
}

// Cuts the next line, without its CR LF, from `rest`.
string_view next_line(string_view& rest) {
  const auto end = rest.find("\r\n");
  const string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(rest.size(), end + 2));
  return line;
}

std::expected<Fields, Refusal> read_fields(string_view rest) {
  Fields fields;
  for (std::size_t count = 0;; ++count) {
    const string_view line = next_line(rest);
    if (line.empty()) return fields;
    if (count == kMostFields) return std::unexpected(Refusal::kHeaderTooLarge);
    if (auto refused = add_field(fields, line)) return std::unexpected(*refused);
  }
}

struct RequestLine {
  string_view method, target, version;
};

std::expected<RequestLine, Refusal> read_request_line(string_view line) {
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == string_view::npos || first == last) return std::unexpected(Refusal::kMalformed);
  const RequestLine parts{line.substr(0, first), line.substr(first + 1, last - first - 1),
                          line.substr(last + 1)};
  if (!is_token(parts.method) || !parts.version.starts_with("HTTP/"))
    return std::unexpected(Refusal::kMalformed);
  if (parts.target.size() > kLongestTarget) return std::unexpected(Refusal::kTargetTooLong);
  if (!is_target(parts.target)) return std::unexpected(Refusal::kMalformed);
  if (parts.version != "HTTP/1.1" && parts.version != "HTTP/1.0")
    return std::unexpected(Refusal::kHttpVersion);
  return parts;
}

std::expected<std::size_t, Refusal> read_length(string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789") != string_view::npos) {
    return std::unexpected(Refusal::kMalformed);
  }
  std::size_t length = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), length).ec != std::errc{}) {
    return std::unexpected(Refusal::kBodyTooLarge);
  }
  return length;
}

bool is_json(string_view content_type) {
  return same_word(trim(content_type.substr(0, content_type.find(';'))), "application/json");
}

// The length of the body, or why it is not taken. A request with both ways to tell the length is an attack or
// a fault.
std::expected<std::size_t, Refusal> judge_body(const Fields& fields, const HeadRules& rules) {
  const auto& length_text = fields.known[kContentLength];
  if (fields.known[kTransferEncoding]) {
    return std::unexpected(length_text ? Refusal::kMalformed : Refusal::kTransferEncoding);
  }
  if (!length_text) {
    if (rules.body) return std::unexpected(Refusal::kNoLength);
    return 0;
  }
  const auto length = read_length(*length_text);
  if (!length) return length;
  if (*length > (rules.body ? rules.max_body_bytes : 0)) return std::unexpected(Refusal::kBodyTooLarge);
  if (!rules.body) return length;
  const auto& encoding = fields.known[kContentEncoding];
  if (encoding && !same_word(*encoding, "identity")) return std::unexpected(Refusal::kContentEncoding);
  if (!is_json(fields.known[kContentType].value_or(""))) return std::unexpected(Refusal::kWrongType);
  return length;
}

std::optional<std::chrono::milliseconds> read_duration(string_view text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number > 1'000'000) return std::nullopt;
  const string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (unit == "ms") return std::chrono::milliseconds(number);
  if (unit == "s") return std::chrono::seconds(number);
  if (unit == "m" || unit == "m0s") return std::chrono::minutes(number);
  return std::nullopt;
}

}  // namespace

std::expected<std::size_t, Refusal> find_head_end(string_view input, std::size_t& scanned,
                                                  const HeadRules& rules) {
  const string_view window = input.substr(0, rules.max_bytes);
  for (auto end = window.find('\n', scanned); end != string_view::npos; end = window.find('\n', scanned)) {
    if (end == 0 || window[end - 1] != '\r') return std::unexpected(Refusal::kMalformed);
    if (end >= 3 && window[end - 3] == '\r' && window[end - 2] == '\n') return end + 1;
    scanned = end + 1;
  }
  if (input.size() >= rules.max_bytes) return std::unexpected(Refusal::kHeaderTooLarge);
  return 0;
}

std::expected<Head, Refusal> parse_head(string_view text, const HeadRules& rules) {
  string_view rest = text;
  const auto line = read_request_line(next_line(rest));
  if (!line) return std::unexpected(line.error());
  const auto fields = read_fields(rest);
  if (!fields) return std::unexpected(fields.error());
  const bool modern = line->version == "HTTP/1.1";
  if (modern && !fields->known[kHost]) return std::unexpected(Refusal::kMalformed);
  if (line->method != rules.method) return std::unexpected(Refusal::kWrongMethod);
  const auto length = judge_body(*fields, rules);
  if (!length) return std::unexpected(length.error());
  const auto& expect = fields->known[kExpect];
  if (expect && !same_word(*expect, "100-continue")) return std::unexpected(Refusal::kExpectation);
  return Head{.target = std::string(line->target),
              .trace_parent = std::string(fields->known[kTraceParent].value_or("")),
              .content_length = *length,
              .keep_alive = !fields->close && (modern || fields->keep),
              .expects_continue = expect.has_value() && *length > 0};
}

std::chrono::milliseconds timeout_of(string_view target) {
  std::chrono::milliseconds timeout = kDefaultTimeout;
  const auto question = target.find('?');
  string_view query = question == string_view::npos ? string_view{} : target.substr(question + 1);
  while (!query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    const string_view parameter = query.substr(0, end);
    if (parameter.starts_with("timeout=")) {
      timeout = read_duration(parameter.substr(8)).value_or(kDefaultTimeout);
    }
    query.remove_prefix(std::min(query.size(), end + 1));
  }
  timeout = std::clamp(timeout, std::chrono::milliseconds(1), kLongestTimeout);
  return std::max(timeout - timeout / 10, std::chrono::milliseconds(1));
}

}  // namespace toposeg::webhook
