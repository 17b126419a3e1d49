#include "webhook/server/tls.h"

#include <openssl/err.h>
#include <prometheus/gauge.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

namespace toposeg::webhook {
namespace {

constexpr const char* kCiphers = "ECDHE+AESGCM:ECDHE+CHACHA20";  // of TLS 1.2; all of 1.3 are AEAD
constexpr std::string_view kHttp11 = "http/1.1";
constexpr std::array<unsigned char, 7> kSessionContext{'t', 'o', 'p', 'o', 's', 'e', 'g'};

using StackOwner =
    std::unique_ptr<STACK_OF(X509), certs::FreeWith<[](STACK_OF(X509) * stack) { sk_X509_free(stack); }>>;

// A client that offers ALPN without http/1.1 would not understand us; one that offers nothing speaks
// HTTP/1.1.
int choose_protocol(SSL* /*session*/, const unsigned char** chosen, unsigned char* chosen_size,
                    const unsigned char* offered, unsigned offered_size, void* /*unused*/) {
  for (unsigned i = 0; i < offered_size;) {
    const unsigned size = offered[i];
    const std::string_view name(reinterpret_cast<const char*>(offered) + i + 1,
                                std::min(size, offered_size - i - 1));
    if (name == kHttp11) {
      *chosen = offered + i + 1;
      *chosen_size = static_cast<unsigned char>(size);
      return SSL_TLSEXT_ERR_OK;
    }
    i += size + 1;
  }
  return SSL_TLSEXT_ERR_ALERT_FATAL;
}

}  // namespace

Tls::Tls(Token /*token*/, std::shared_ptr<certs::Store> certificates, prometheus::Gauge& expiry)
    : certificates_(std::move(certificates)), expiry_(expiry), context_(SSL_CTX_new(TLS_server_method())) {}

Result<std::unique_ptr<Tls>> Tls::create(std::shared_ptr<certs::Store> certificates,
                                         const std::string& client_ca_file, prometheus::Gauge& expiry) {
  auto tls = std::make_unique<Tls>(Token{}, std::move(certificates), expiry);
  if (!tls->context_) return certs::openssl_failure(Code::kInternal, "TLS cannot be set up");
  if (auto set = tls->set_protocol(); !set) return std::unexpected(set.error());
  if (!client_ca_file.empty()) {
    if (auto set = tls->demand_client_certificates(client_ca_file); !set) return std::unexpected(set.error());
  }
  return tls;
}

Result<void> Tls::set_protocol() {
  SSL_CTX* context = context_.get();
  if (SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1 ||
      SSL_CTX_set_cipher_list(context, kCiphers) != 1 ||
      SSL_CTX_set_session_id_context(context, kSessionContext.data(), kSessionContext.size()) != 1) {
    return certs::openssl_failure(Code::kInternal, "TLS cannot be set up");
  }
  SSL_CTX_set_options(context,
                      SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  // Idle connections give their buffers back; sessions live in the clients' tickets, not in our memory.
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context, 1);
  SSL_CTX_set_read_ahead(context, 1);  // one system call a record instead of two
  SSL_CTX_set_alpn_select_cb(context, choose_protocol, nullptr);
  SSL_CTX_set_cert_cb(context, choose_certificate, this);
  return {};
}

Result<void> Tls::demand_client_certificates(const std::string& client_ca_file) {
  SSL_CTX* context = context_.get();
  STACK_OF(X509_NAME)* names = nullptr;  // owned by the context as soon as it is set
  if (SSL_CTX_load_verify_file(context, client_ca_file.c_str()) == 1) {
    names = SSL_load_client_CA_file(client_ca_file.c_str());
  }
  if (names == nullptr) {
    return certs::openssl_failure(Code::kInvalid, "the client CA cannot be loaded", client_ca_file);
  }
  SSL_CTX_set_client_CA_list(context, names);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  return {};
}

int Tls::choose_certificate(SSL* session, void* self) {
  const auto* tls = static_cast<const Tls*>(self);
  const auto pair = tls->certificates_->get();
  if (!pair || pair->chain.empty()) return 0;
  tls->expiry_.Set(static_cast<double>(std::chrono::system_clock::to_time_t(pair->not_after)));
  const StackOwner others(sk_X509_new_null());
  if (!others) return 0;
  for (std::size_t i = 1; i < pair->chain.size(); ++i) {
    if (sk_X509_push(others.get(), pair->chain[i].get()) == 0) return 0;
  }
  return SSL_use_cert_and_key(session, pair->chain.front().get(), pair->key.get(), others.get(), 1);
}

certs::SessionOwner Tls::accept(int socket) const {
  certs::SessionOwner session(SSL_new(context_.get()));
  if (session && SSL_set_fd(session.get(), socket) == 1) {
    SSL_set_accept_state(session.get());
    return session;
  }
  ERR_clear_error();
  return nullptr;
}

}  // namespace toposeg::webhook
