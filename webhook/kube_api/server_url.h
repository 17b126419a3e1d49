// The address of an API server as kubeconfig files write it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/error.h"

namespace toposeg::webhook::kube_api {

// NOLINTBEGIN(readability-redundant-member-init): GCC wants them in designated initialisers.

struct ServerUrl {
  std::string host{};  // without brackets
  std::uint16_t port = 443;
  std::string base_path{};  // no slash at its end
};

// https://HOST[:PORT][/PATH], an IPv6 address in brackets. kInvalid otherwise, also for http://.
[[nodiscard]] Result<ServerUrl> parse_server_url(std::string_view url, const std::string& where);

// NOLINTEND(readability-redundant-member-init)

}  // namespace toposeg::webhook::kube_api
