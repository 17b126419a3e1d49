#include "common/kube/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "common/base/text.h"

namespace toposeg::kube {

namespace {

// Wide enough for 19 digits times 2^60.
__extension__ using Wide = unsigned __int128;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::string_view kForms = "a plain number with an optional suffix: 4, 500m, 0.5, 16Gi, 1e3";

// The value of a suffix as mantissa * 2^binary * 10^decimal.
struct Suffix {
  std::string_view text;
  int binary;
  int decimal;
};

constexpr std::array<Suffix, 16> kSuffixes = {{{"", 0, 0},
                                               {"n", 0, -9},
                                               {"u", 0, -6},
                                               {"m", 0, -3},
                                               {"k", 0, 3},
                                               {"M", 0, 6},
                                               {"G", 0, 9},
                                               {"T", 0, 12},
                                               {"P", 0, 15},
                                               {"E", 0, 18},
                                               {"Ki", 10, 0},
                                               {"Mi", 20, 0},
                                               {"Gi", 30, 0},
                                               {"Ti", 40, 0},
                                               {"Pi", 50, 0},
                                               {"Ei", 60, 0}}};

// A decimal number in parts. Digits beyond what 64 bits can matter for are only counted.
struct Number {
  Wide digits = 0;
  int exponent = 0;      // digits * 10^exponent
  bool inexact = false;  // something non-zero was cut off behind the digits kept
  bool negative = false;
  bool any = false;
};

constexpr Wide kDigitsLimit = static_cast<Wide>(1) << 60U;

void push_digit(Number& number, char c, bool fraction) {
  number.any = true;
  const auto digit = static_cast<unsigned>(c - '0');
  if (number.digits >= kDigitsLimit) {
    if (digit != 0) number.inexact = true;
    if (!fraction) ++number.exponent;
    return;
  }
  number.digits = number.digits * 10 + digit;
  if (fraction) --number.exponent;
}

// Reads sign, digits and a point; returns what is left of the text.
std::string_view read_number(std::string_view text, Number& number) {
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    number.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  bool fraction = false;
  while (!text.empty()) {
    const char c = text.front();
    if (c == '.' && !fraction) {
      fraction = true;
    } else if (c >= '0' && c <= '9') {
      push_digit(number, c, fraction);
    } else {
      break;
    }
    text.remove_prefix(1);
  }
  return text;
}

// A decimal exponent such as e3 or E-2; false when the text is none.
bool read_exponent(std::string_view text, int& exponent) {
  if (text.size() < 2 || (text.front() != 'e' && text.front() != 'E')) return false;
  text.remove_prefix(1);
  const bool negative = text.front() == '-';
  if (text.front() == '+' || text.front() == '-') text.remove_prefix(1);
  if (text.empty()) return false;
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    value = std::min(value * 10 + (c - '0'), 10'000);
  }
  exponent = negative ? -value : value;
  return true;
}

// digits * 10^exponent * 2^binary, rounded up, at most INT64_MAX.
std::int64_t scale(const Number& number, int decimal, int binary) {
  Wide value = number.digits;
  bool rest = number.inexact;
  int exponent = number.exponent + decimal;
  for (; binary > 0; --binary) {
    if (value > (static_cast<Wide>(1) << 126U)) return kMost;
    value *= 2;
  }
  for (; exponent > 0 && value != 0; --exponent) {
    if (value > static_cast<Wide>(kMost)) return kMost;
    value *= 10;
  }
  for (; exponent < 0 && value != 0; ++exponent) {
    rest = rest || value % 10 != 0;
    value /= 10;
  }
  if (value > static_cast<Wide>(kMost) - (rest ? 1 : 0)) return kMost;
  return static_cast<std::int64_t>(value) + (rest ? 1 : 0);
}

}  // namespace

Result<std::int64_t> parse_amount(std::string_view resource, std::string_view text) {
  Number number;
  const std::string_view rest = read_number(text, number);
  const auto refuse = [&](std::string_view why) {
    return fail(Code::kInvalid,
                fmt::format("{} is no quantity for {}: {}; write {}", quote(text), resource, why, kForms));
  };
  if (!number.any) return refuse("it has no digits");
  int exponent = 0;
  int binary = 0;
  bool known = rest.empty() || read_exponent(rest, exponent);
  for (const Suffix& suffix : kSuffixes) {
    if (known || suffix.text != rest) continue;
    known = true;
    exponent = suffix.decimal;
    binary = suffix.binary;
  }
  if (!known) return refuse(fmt::format("{} is no suffix", quote(rest)));
  if (number.negative && (number.digits != 0 || number.inexact)) return refuse("it is negative");
  return scale(number, exponent + (resource == "cpu" ? 3 : 0), binary);
}

std::string format_amount(std::string_view resource, std::int64_t amount) {
  if (resource == "cpu") {
    return amount % 1000 == 0 ? fmt::format("{}", amount / 1000) : fmt::format("{}m", amount);
  }
  constexpr std::array<std::string_view, 7> kBinary = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  std::size_t unit = 0;
  while (amount != 0 && amount % 1024 == 0 && unit + 1 < kBinary.size()) {
    amount /= 1024;
    ++unit;
  }
  return fmt::format("{}{}", amount, kBinary.at(unit));
}

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kMost : sum;
}

std::int64_t saturating_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kMost : product;
}

}  // namespace toposeg::kube
