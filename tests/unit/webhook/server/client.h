// A blocking HTTP client over real sockets and OpenSSL that can misbehave on purpose. Every wait ends after
// ten seconds, so that a fault is a failed test and not a hung one.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "certs/openssl.h"
#include "certs/pem.h"

namespace toposeg::webhook::test {

struct Reply {
  int status = 0;
  std::string head;
  std::string body;

  [[nodiscard]] bool has(std::string_view line) const { return head.find(line) != std::string::npos; }
};

// What a TLS client trusts, shows and offers.
struct Trust {
  std::string ca_pem;
  std::string name = "localhost";
  std::string certificate_pem;  // of the client, may be empty
  std::string key_pem;
  std::string alpn = std::string("\x08http/1.1");
  int highest_version = TLS1_3_VERSION;
};

inline certs::ContextOwner client_context(const Trust& trust) {
  certs::ContextOwner context(SSL_CTX_new(TLS_client_method()));
  SSL_CTX_set_min_proto_version(context.get(), TLS1_VERSION);
  SSL_CTX_set_max_proto_version(context.get(), trust.highest_version);
  const auto authorities = certs::read_certificates(trust.ca_pem);
  for (const auto& authority : authorities.value()) {
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context.get()), authority.get());
  }
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  if (!trust.certificate_pem.empty()) {
    SSL_CTX_use_certificate(context.get(),
                            certs::read_certificates(trust.certificate_pem).value().front().get());
    SSL_CTX_use_PrivateKey(context.get(), certs::read_key(trust.key_pem).value().get());
  }
  return context;
}

class Client {
 public:
  // Plain.
  explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval limit{.tv_sec = 10, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  }
  // TLS: connected() tells whether the handshake succeeded too.
  Client(std::uint16_t port, const Trust& trust) : Client(port) {
    if (!connected_) return;
    const certs::ContextOwner context = client_context(trust);
    session_.reset(SSL_new(context.get()));
    SSL_set_fd(session_.get(), socket_);
    SSL_set1_host(session_.get(), trust.name.c_str());
    if (!trust.alpn.empty()) {
      SSL_set_alpn_protos(session_.get(), reinterpret_cast<const unsigned char*>(trust.alpn.data()),
                          static_cast<unsigned>(trust.alpn.size()));
    }
    connected_ = SSL_connect(session_.get()) == 1;
    ERR_clear_error();
  }
  ~Client() {
    session_.reset();
    ::close(socket_);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  [[nodiscard]] bool connected() const { return connected_; }
  [[nodiscard]] SSL* session() const { return session_.get(); }

  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent = session_
                            ? SSL_write(session_.get(), bytes.data(), static_cast<int>(bytes.size()))
                            : static_cast<int>(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL));
      ERR_clear_error();
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  // Ends our side, as a peer does that has sent all it wants.
  void finish_sending() {
    if (session_) SSL_shutdown(session_.get());
    ::shutdown(socket_, SHUT_WR);
  }

  // One answer with its Content-Length body; none when the connection ends before it is whole.
  std::optional<Reply> receive() {
    std::size_t end = std::string::npos;
    while ((end = input_.find("\r\n\r\n")) == std::string::npos) {
      if (!receive_some()) return std::nullopt;
    }
    Reply reply;
    reply.head = input_.substr(0, end + 2);
    input_.erase(0, end + 4);
    std::from_chars(reply.head.data() + 9, reply.head.data() + 12, reply.status);
    const std::size_t size = length_in(reply.head);
    while (input_.size() < size) {
      if (!receive_some()) return std::nullopt;
    }
    reply.body = input_.substr(0, size);
    input_.erase(0, size);
    return reply;
  }

  // True when the peer has ended the connection and nothing more came.
  bool closed_by_peer() {
    if (!input_.empty()) return false;
    if (receive_some()) return false;
    return !timed_out_;
  }

  std::optional<Reply> ask(std::string_view request) {
    if (!send(request)) return std::nullopt;
    return receive();
  }

 private:
  static std::size_t length_in(const std::string& head) {
    std::size_t size = 0;
    if (const auto at = head.find("Content-Length: "); at != std::string::npos) {
      std::from_chars(head.data() + at + 16, head.data() + head.size(), size);
    }
    return size;
  }

  bool receive_some() {
    char buffer[16384];
    errno = 0;
    const auto got = session_ ? SSL_read(session_.get(), buffer, sizeof(buffer))
                              : static_cast<int>(::recv(socket_, buffer, sizeof(buffer), 0));
    ERR_clear_error();
    timed_out_ = got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    if (got <= 0) return false;
    input_.append(buffer, static_cast<std::size_t>(got));
    return true;
  }

  int socket_;
  certs::SessionOwner session_;
  bool connected_ = false;
  bool timed_out_ = false;
  std::string input_;
};

inline std::string post(std::string_view path, std::string_view body, std::string_view extra = {}) {
  return "POST " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
         std::string(extra) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}
inline std::string get(std::string_view path) {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
}

}  // namespace toposeg::webhook::test
