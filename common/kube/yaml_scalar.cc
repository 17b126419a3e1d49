#include "common/kube/yaml_scalar.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

#include "common/base/text.h"

namespace toposeg::kube {

namespace {

using json::Document;

constexpr std::string_view kCore = "tag:yaml.org,2002:";

template <typename... Words>
bool is_one_of(std::string_view text, Words... words) {
  return ((text == words) || ...);
}

bool is_null(std::string_view text) { return text.empty() || is_one_of(text, "~", "null", "Null", "NULL"); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return text;
}

bool is_decimal(std::string_view text) {
  text = without_sign(text);
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

// Base 8 or 16, which carry no sign; 0 when it is neither.
int prefixed_base(std::string_view text) {
  if (text.size() < 3 || text[0] != '0') return 0;
  const std::string_view digits = text.substr(2);
  if (text[1] == 'o' && digits.find_first_not_of("01234567") == std::string_view::npos) return 8;
  if (text[1] == 'x' && digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos)
    return 16;
  return 0;
}

// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
bool is_float(std::string_view text) {
  text = without_sign(text);
  const auto take_digits = [&text] {
    const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
    const auto count = static_cast<std::size_t>(end - text.begin());
    text.remove_prefix(count);
    return count;
  };
  const std::size_t whole = take_digits();
  std::size_t fraction = 0;
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    fraction = take_digits();
  }
  if (whole + fraction == 0) return false;
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text = without_sign(text.substr(1));
  return take_digits() > 0 && text.empty();
}

bool is_not_finite(std::string_view text) {
  return is_one_of(text, ".nan", ".NaN", ".NAN") || is_one_of(without_sign(text), ".inf", ".Inf", ".INF");
}

Result<Document> integer(std::string_view text) {
  const int base = prefixed_base(text);
  const bool is_negative = base == 0 && text.front() == '-';
  const std::string_view digits = base == 0 ? without_sign(text) : text.substr(2);
  std::uint64_t size = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), size, base == 0 ? 10 : base);
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (error != std::errc() || (is_negative && size > kMost + 1)) {
    return fail(Code::kInvalid, fmt::format("{} is outside the 64-bit integers; quote it if text is meant",
                                            truncated(text, 40)));
  }
  if (!is_negative) return Document(size);
  return Document(size > kMost ? std::numeric_limits<std::int64_t>::min() : -static_cast<std::int64_t>(size));
}

Result<Document> floating(std::string_view text) {
  const std::string_view unsigned_text = text.starts_with('+') ? text.substr(1) : text;
  double number = 0;
  const auto [end, error] =
      std::from_chars(unsigned_text.data(), unsigned_text.data() + unsigned_text.size(), number);
  if (error != std::errc() || !std::isfinite(number)) {
    return fail(Code::kInvalid,
                fmt::format("{} is too large or too small for a number; quote it if text is meant",
                            truncated(text, 40)));
  }
  return Document(number);
}

Result<Document> plain(const std::string& text) {
  if (is_null(text)) return Document();
  if (is_one_of(text, "true", "True", "TRUE")) return Document(true);
  if (is_one_of(text, "false", "False", "FALSE")) return Document(false);
  if (is_decimal(text) || prefixed_base(text) != 0) return integer(text);
  if (is_float(text)) return floating(text);
  if (is_not_finite(text)) {
    return fail(Code::kInvalid, fmt::format("{} has no JSON form; quote it if text is meant", text));
  }
  return Document(text);
}

bool has_type(const Document& value, std::string_view type) {
  return (type == "int" && value.is_number_integer()) || (type == "float" && value.is_number()) ||
         (type == "bool" && value.is_boolean()) || (type == "null" && value.is_null());
}

}  // namespace

Result<Document> yaml_scalar(const std::string& tag, const std::string& text) {
  if (!is_utf8(text)) return fail(Code::kInvalid, fmt::format("{} is not valid UTF-8", quote(text)));
  if (tag == "?" || tag.empty()) return plain(text);
  if (tag == "!" || tag == fmt::format("{}str", kCore)) return Document(text);
  if (tag.starts_with(kCore)) {
    const std::string_view type = std::string_view(tag).substr(kCore.size());
    if (is_one_of(type, "int", "float", "bool", "null")) {
      auto value = plain(text);
      if (!value || has_type(*value, type)) return value;
      return fail(Code::kInvalid, fmt::format("{} is no {}, as its tag !!{} says", quote(text), type, type));
    }
  }
  return fail(Code::kInvalid,
              fmt::format("tag {} is not read; !!str, !!int, !!float, !!bool and !!null are", quote(tag)));
}

}  // namespace toposeg::kube
