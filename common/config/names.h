// What Kubernetes accepts as a name, a label and an address. Pure; linear in the text.
#pragma once

#include <string_view>

namespace toposeg::config {

[[nodiscard]] bool is_dns_label(std::string_view text);  // RFC 1123: a-z 0-9 -, at most 63, e.g. a namespace
[[nodiscard]] bool is_dns_name(std::string_view text);  // labels joined by dots, at most 253, e.g. a topology
[[nodiscard]] bool is_label_key(std::string_view text);    // [dns-name/]name, the name at most 63
[[nodiscard]] bool is_label_value(std::string_view text);  // at most 63, may be empty
[[nodiscard]] bool is_ip_address(std::string_view text);   // IPv4 or IPv6
[[nodiscard]] bool is_server_name(
    std::string_view text);                               // DNS name, *.name, or address: a certificate's SAN
[[nodiscard]] bool is_field_path(std::string_view text);  // spec.a.b: identifiers joined by dots, two or more

}  // namespace toposeg::config
