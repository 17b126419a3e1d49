#include "webhook/kube_api/peer.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <array>
#include <utility>

#include "certs/pem.h"
#include "common/base/text.h"

namespace toposeg::webhook::kube_api {

namespace {

using StoreOwner = std::unique_ptr<X509_STORE, certs::FreeWith<X509_STORE_free>>;

bool is_address(const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(AF_INET, text.c_str(), bytes.data()) == 1 ||
         inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1;
}

// Where a context keeps its Peer.
int peer_index() {
  static const int index = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

Peer* peer_of(const SSL* session) {
  return static_cast<Peer*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(session), peer_index()));
}

std::string place(const Source& source, const char* otherwise) {
  return source.file.empty() ? otherwise : source.file;
}

Result<std::string> read_pem(const Source& source, const char* what) {
  auto text = source.read();
  // An empty file is not the same as none: the authorities of the system would take its place.
  if (text && !source.empty() && text->find("-----BEGIN ") == std::string::npos) {
    return fail(Code::kInvalid, "holds no PEM text; expected -----BEGIN …", place(source, what));
  }
  return text;
}

}  // namespace

Result<TlsMaterial> read_tls_material(const Credentials& credentials) {
  auto ca = read_pem(credentials.ca, "certificate authority");
  if (!ca) return std::unexpected(ca.error());
  auto certificate = read_pem(credentials.client_certificate, "client certificate");
  if (!certificate) return std::unexpected(certificate.error());
  auto key = read_pem(credentials.client_key, "client key");
  if (!key) return std::unexpected(key.error());
  return TlsMaterial{*std::move(ca), *std::move(certificate), *std::move(key)};
}

Peer::Peer(const Credentials& credentials)
    : name_(credentials.tls_server_name.empty() ? credentials.host : credentials.tls_server_name),
      is_address_(is_address(name_)),
      skip_verification_(credentials.skip_verification) {}

Result<void> Peer::prepare(SSL_CTX* context, const TlsMaterial& material) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_ex_data(context, peer_index(), this);
  SSL_CTX_set_info_callback(context, progressed);
  if (skip_verification_) {
    SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nullptr);
  } else if (auto trusted = trust(context, material); !trusted) {
    return trusted;
  }
  return material.certificate_pem.empty() ? Result<void>() : identify(context, material);
}

Result<void> Peer::trust(SSL_CTX* context, const TlsMaterial& material) const {
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, verified);
  if (material.ca_pem.empty()) {
    SSL_CTX_set_default_verify_paths(context);
  } else {
    const auto authorities = certs::read_certificates(material.ca_pem);
    if (!authorities) {
      return fail(authorities.error().code, authorities.error().text(), "certificate authority");
    }
    StoreOwner store(X509_STORE_new());
    for (const auto& authority : *authorities) X509_STORE_add_cert(store.get(), authority.get());
    SSL_CTX_set_cert_store(context, store.release());
  }
  X509_VERIFY_PARAM* param = SSL_CTX_get0_param(context);
  // An intermediate authority may be given alone, as other clients take it.
  X509_VERIFY_PARAM_set_flags(param, X509_V_FLAG_PARTIAL_CHAIN);
  X509_VERIFY_PARAM_set_hostflags(param,
                                  X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  const int done = is_address_ ? X509_VERIFY_PARAM_set1_ip_asc(param, name_.c_str())
                               : X509_VERIFY_PARAM_set1_host(param, name_.c_str(), name_.size());
  if (done == 1) return {};
  return certs::openssl_failure(Code::kInvalid, fmt::format("{} is no name for a server", quote(name_)));
}

Result<void> Peer::identify(SSL_CTX* context, const TlsMaterial& material) {
  constexpr const char* kWhere = "client certificate";
  const auto chain = certs::read_certificates(material.certificate_pem);
  if (!chain) return fail(chain.error().code, chain.error().text(), kWhere);
  const auto key = certs::read_key(material.key_pem);
  if (!key) return fail(key.error().code, key.error().text(), "client key");
  if (auto matches = certs::check_key_matches(chain->front().get(), key->get()); !matches) {
    return fail(matches.error().code, matches.error().text(), kWhere);
  }
  SSL_CTX_use_certificate(context, chain->front().get());
  for (std::size_t i = 1; i < chain->size(); ++i) SSL_CTX_add1_chain_cert(context, (*chain)[i].get());
  SSL_CTX_use_PrivateKey(context, key->get());
  return {};
}

int Peer::verified(int accepted, X509_STORE_CTX* chain) {
  if (accepted == 1) return 1;
  const auto* session =
      static_cast<const SSL*>(X509_STORE_CTX_get_ex_data(chain, SSL_get_ex_data_X509_STORE_CTX_idx()));
  Peer* peer = peer_of(session);
  if (peer != nullptr && peer->fault_.empty()) {
    peer->fault_ = X509_verify_cert_error_string(X509_STORE_CTX_get_error(chain));
  }
  return 0;
}

void Peer::progressed(const SSL* session, int where, int /*value*/) {
  if ((where & SSL_CB_HANDSHAKE_START) == 0) return;
  const Peer* peer = peer_of(session);
  if (peer == nullptr) return;
  // The HTTP library has set the host it connects to, even where that is an address, which RFC 6066 section 3
  // forbids. The first message has not been written yet.
  auto* name = const_cast<char*>(peer->is_address_ ? nullptr : peer->name_.c_str());  // only read
  SSL_ctrl(const_cast<SSL*>(session), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name);
}

}  // namespace toposeg::webhook::kube_api
