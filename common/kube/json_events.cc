#include "common/kube/json_events.h"

#include <fmt/format.h>

#include "common/base/text.h"

namespace toposeg::kube {

namespace {

// The library's sentence without its number, position and the input read last, which can be long.
std::string syntax_message(std::string_view what) {
  if (what.find("UTF-8") != std::string_view::npos) return "the text is not valid UTF-8";
  constexpr std::string_view kLead = "syntax error ";
  if (const auto start = what.find(kLead); start != std::string_view::npos)
    what.remove_prefix(start + kLead.size());
  what = what.substr(0, what.find("; last read: "));
  return fmt::format("not valid JSON: {}", what);
}

}  // namespace

bool JsonEvents::number_float(json::Document::number_float_t value, const std::string& raw) {
  // The lexer falls back to a double, losing digits, for an integer that it cannot hold.
  if (raw.find_first_of(".eE") != std::string::npos || builder_.skips()) return add(value);
  return builder_.refuse(Code::kInvalid,
                         fmt::format("{} is outside the 64-bit integers", truncated(raw, 40)));
}

bool JsonEvents::binary(const json::Document::binary_t& /*value*/) {
  return builder_.refuse(Code::kInternal, "JSON text holds no binary values");
}

bool JsonEvents::parse_error(std::size_t /*position*/, const std::string& last_token,
                             const nlohmann::detail::exception& error) {
  constexpr int kOverflow = 406;
  if (error.id == kOverflow) {
    return builder_.refuse(Code::kInvalid,
                           fmt::format("{} is too large for a number", truncated(last_token, 40)));
  }
  return builder_.refuse(Code::kInvalid, syntax_message(error.what()));
}

}  // namespace toposeg::kube
