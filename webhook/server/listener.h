// A listening TCP socket.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/error.h"
#include "webhook/server/descriptor.h"

namespace toposeg::webhook {

// Non-blocking, with a backlog of 1024; port 0 takes any free one. "::" also takes IPv4. kUnavailable names
// address and reason.
[[nodiscard]] Result<Descriptor> listen_on(const std::string& address, std::uint16_t port);
[[nodiscard]] std::uint16_t port_of(const Descriptor& listener);

// The next waiting connection: non-blocking, TCP_NODELAY. Not valid when there is none or errno tells why
// not.
[[nodiscard]] Descriptor accept_from(const Descriptor& listener);

}  // namespace toposeg::webhook
