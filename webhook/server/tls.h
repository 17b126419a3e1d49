// The TLS side of the HTTPS port: 1.2 and 1.3 with AEAD ciphers, ALPN http/1.1, the certificate taken from
// the store at each handshake, so that a renewal touches no open connection.
#pragma once

#include <memory>
#include <string>

#include "certs/openssl.h"
#include "certs/store.h"
#include "common/base/error.h"

namespace prometheus {
class Gauge;
}

namespace toposeg::webhook {

// Thread safe after create(). Its address is known to OpenSSL: it does not move.
class Tls {
  struct Token {};

 public:
  Tls(Token token, std::shared_ptr<certs::Store> certificates, prometheus::Gauge& expiry);
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;

  // `client_ca_file` set: clients must show a certificate that it signed. `expiry` follows the certificate in
  // use.
  [[nodiscard]] static Result<std::unique_ptr<Tls>> create(std::shared_ptr<certs::Store> certificates,
                                                           const std::string& client_ca_file,
                                                           prometheus::Gauge& expiry);

  // The server's side of a new connection over a non-blocking socket that the caller goes on owning; null
  // when OpenSSL has no memory for it.
  [[nodiscard]] certs::SessionOwner accept(int socket) const;

 private:
  [[nodiscard]] Result<void> set_protocol();
  [[nodiscard]] Result<void> demand_client_certificates(const std::string& client_ca_file);
  static int choose_certificate(SSL* session, void* self);

  std::shared_ptr<certs::Store> certificates_;
  prometheus::Gauge& expiry_;
  certs::ContextOwner context_;
};

}  // namespace toposeg::webhook
