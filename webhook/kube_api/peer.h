// Whom we talk to and whom we trust, set up in an OpenSSL context.
#pragma once

#include <string>

#include "certs/openssl.h"
#include "webhook/kube_api/credentials.h"

namespace toposeg::webhook::kube_api {

// NOLINTBEGIN(readability-redundant-member-init): GCC wants them in designated initialisers.

// What the files of the credentials held when they were read.
struct TlsMaterial {
  std::string ca_pem{};  // empty = the authorities of the system
  std::string certificate_pem{};
  std::string key_pem{};

  friend bool operator==(const TlsMaterial&, const TlsMaterial&) = default;
};

[[nodiscard]] Result<TlsMaterial> read_tls_material(const Credentials& credentials);

// Name or address that the certificate must be for, and what was wrong with the last one shown.
class Peer {
 public:
  explicit Peer(const Credentials& credentials);

  // TLS 1.2 or newer; the peer has to show a certificate for the name (subject alternative names only) or the
  // address, from one of the authorities; our own certificate is offered when there is one. The name, never
  // an address, is sent as server name indication. `context` keeps a pointer to this, which must outlive it.
  [[nodiscard]] Result<void> prepare(SSL_CTX* context, const TlsMaterial& material);

  void reset() { fault_.clear(); }
  // In OpenSSL's words; empty when no certificate was refused since reset().
  [[nodiscard]] const std::string& fault() const { return fault_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  [[nodiscard]] Result<void> trust(SSL_CTX* context, const TlsMaterial& material) const;
  [[nodiscard]] static Result<void> identify(SSL_CTX* context, const TlsMaterial& material);
  static int verified(int accepted, X509_STORE_CTX* chain);
  static void progressed(const SSL* session, int where, int value);

  std::string name_;
  bool is_address_;
  bool skip_verification_;
  std::string fault_;
};

// NOLINTEND(readability-redundant-member-init)

}  // namespace toposeg::webhook::kube_api
