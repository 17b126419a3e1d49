#include "common/config/names.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace toposeg::config {

namespace {

constexpr std::size_t kLongestLabel = 63;
constexpr std::size_t kLongestName = 253;

bool is_lower_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_alphanumeric(char c) { return is_lower_alphanumeric(c) || (c >= 'A' && c <= 'Z'); }

// Letters and digits at both ends; inside also - _ and dots (a label's name and value).
bool is_qualified(std::string_view text) {
  return !text.empty() && text.size() <= kLongestLabel && is_alphanumeric(text.front()) &&
         is_alphanumeric(text.back()) && std::all_of(text.begin(), text.end(), [](char c) {
           return is_alphanumeric(c) || c == '-' || c == '_' || c == '.';
         });
}

// True when every part between dots passes; an empty text has one empty part.
template <typename Check>
bool all_parts(std::string_view text, Check check) {
  for (;;) {
    const std::size_t dot = text.find('.');
    if (!check(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool is_identifier(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](char c) { return is_alphanumeric(c) || c == '_' || c == '-'; });
}

}  // namespace

bool is_dns_label(std::string_view text) {
  return !text.empty() && text.size() <= kLongestLabel && is_lower_alphanumeric(text.front()) &&
         is_lower_alphanumeric(text.back()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_lower_alphanumeric(c) || c == '-'; });
}

bool is_dns_name(std::string_view text) {
  return text.size() <= kLongestName && all_parts(text, is_dns_label);
}

bool is_label_key(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return is_qualified(text);
  return is_dns_name(text.substr(0, slash)) && is_qualified(text.substr(slash + 1));
}

bool is_label_value(std::string_view text) { return text.empty() || is_qualified(text); }

bool is_ip_address(std::string_view text) {
  std::array<unsigned char, sizeof(in6_addr)> address{};
  const std::string copy(text);
  return copy.find('\0') == std::string::npos && (inet_pton(AF_INET, copy.c_str(), address.data()) == 1 ||
                                                  inet_pton(AF_INET6, copy.c_str(), address.data()) == 1);
}

bool is_server_name(std::string_view text) {
  if (is_ip_address(text)) return true;
  if (text.starts_with("*.")) text.remove_prefix(2);
  return is_dns_name(text);
}

bool is_field_path(std::string_view text) {
  return text.find('.') != std::string_view::npos && all_parts(text, is_identifier);
}

}  // namespace toposeg::config
