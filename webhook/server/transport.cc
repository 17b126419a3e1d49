#include "webhook/server/transport.h"

#include <openssl/err.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>

namespace toposeg::webhook {
namespace {

Moved judge_system_call(ssize_t result) {
  if (result > 0) return {Io::kDone, static_cast<std::size_t>(result)};
  if (result == 0) return {Io::kClosed};
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return {Io::kAgain};
  return {Io::kFailed};
}

int as_int(std::size_t size) {
  return static_cast<int>(std::min<std::size_t>(size, std::numeric_limits<int>::max()));
}

}  // namespace

Transport::Transport(int socket, certs::SessionOwner session)
    : socket_(socket), session_(std::move(session)) {}

Transport::~Transport() { ::close(socket_); }

// OpenSSL's error queue must be empty before each call, or SSL_get_error() reads an old fault.
Moved Transport::judge(int result) {
  if (result > 0) return {Io::kDone, static_cast<std::size_t>(result)};
  const int error = SSL_get_error(session_.get(), result);
  ERR_clear_error();
  switch (error) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
      return {Io::kAgain};
    case SSL_ERROR_ZERO_RETURN:
      return {Io::kClosed};
    default:
      return {Io::kFailed};
  }
}

Io Transport::handshake() { return judge(SSL_do_handshake(session_.get())).io; }

Moved Transport::read(std::span<char> into) {
  if (session_) return judge(SSL_read(session_.get(), into.data(), as_int(into.size())));
  return judge_system_call(::recv(socket_, into.data(), into.size(), 0));
}

Moved Transport::write(std::string_view bytes) {
  if (session_) return judge(SSL_write(session_.get(), bytes.data(), as_int(bytes.size())));
  return judge_system_call(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL));
}

void Transport::close_write() {
  if (session_) {
    if (SSL_is_init_finished(session_.get()) == 1) SSL_shutdown(session_.get());
    ERR_clear_error();
    session_.reset();
  }
  ::shutdown(socket_, SHUT_WR);
}

Moved Transport::discard(std::span<char> scratch) {
  return judge_system_call(::recv(socket_, scratch.data(), scratch.size(), 0));
}

}  // namespace toposeg::webhook
