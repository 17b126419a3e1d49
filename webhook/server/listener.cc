#include "webhook/server/listener.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <memory>
#include <system_error>

namespace toposeg::webhook {
namespace {

constexpr int kBacklog = 1024;

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};

void set_option(const Descriptor& socket, int level, int option, int value) {
  ::setsockopt(socket.get(), level, option, &value, sizeof(value));
}

}  // namespace

Result<Descriptor> listen_on(const std::string& address, std::uint16_t port) {
  const std::string where = address + ":" + std::to_string(port);
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  if (const int error = ::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found);
      error != 0) {
    return fail(Code::kInvalid, std::string("is no address to listen on: ") + ::gai_strerror(error), where);
  }
  const std::unique_ptr<addrinfo, FreeAddresses> list(found);
  Descriptor socket(::socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (socket) {
    set_option(socket, SOL_SOCKET, SO_REUSEADDR, 1);
    if (found->ai_family == AF_INET6) set_option(socket, IPPROTO_IPV6, IPV6_V6ONLY, 0);
    if (::bind(socket.get(), found->ai_addr, found->ai_addrlen) == 0 &&
        ::listen(socket.get(), kBacklog) == 0) {
      return socket;
    }
  }
  return fail(Code::kUnavailable, "cannot be listened on: " + std::generic_category().message(errno), where);
}

std::uint16_t port_of(const Descriptor& listener) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  if (::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port);
  return ntohs(reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

Descriptor accept_from(const Descriptor& listener) {
  Descriptor socket(::accept4(listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (socket) set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  return socket;
}

}  // namespace toposeg::webhook
