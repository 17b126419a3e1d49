#include "webhook/server/tls.h"

#include <atomic>
#include <thread>

#include "certs/pem.h"
#include "unit/webhook/server/fixture.h"

namespace toposeg::webhook::test {
namespace {

// Our authorities sign serving leaves only, so that a client's is made here by hand.
void show_client_certificate_of(const certs::Authority& authority, Trust& trust) {
  const auto issuers = certs::read_certificates(authority.certificate_pem()).value();
  const auto issuer_key = certs::read_key(authority.key_pem().value()).value();
  const certs::KeyOwner key(EVP_EC_gen("P-256"));
  const certs::CertificateOwner certificate(X509_new());
  X509_set_version(certificate.get(), 2);
  X509_set_pubkey(certificate.get(), key.get());
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -60);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(issuers.front().get()));
  X509_sign(certificate.get(), issuer_key.get(), EVP_sha256());
  trust.certificate_pem = certs::write_certificate(certificate.get()).value();
  trust.key_pem = certs::write_key(key.get()).value();
}

TEST_CASE("tls_1_3_and_1_2_are_spoken_and_1_1_is_not") {
  Running running;
  running.start();
  Trust trust = running.trust();
  Client modern(running.server.port(), trust);
  REQUIRE(modern.connected());
  CHECK(std::string(SSL_get_version(modern.session())) == "TLSv1.3");
  trust.highest_version = TLS1_2_VERSION;
  Client older(running.server.port(), trust);
  REQUIRE(older.connected());
  CHECK(std::string(SSL_get_version(older.session())) == "TLSv1.2");
  CHECK(SSL_CIPHER_is_aead(SSL_get_current_cipher(older.session())) == 1);
  CHECK(older.ask(post("/echo", "old")).value().body == "old");
  trust.highest_version = TLS1_1_VERSION;
  CHECK_FALSE(Client(running.server.port(), trust).connected());
}

TEST_CASE("http_1_1_is_agreed_on_and_a_client_of_http_2_only_is_refused") {
  Running running;
  running.start();
  Trust trust = running.trust();
  trust.alpn = std::string("\x02h2\x08http/1.1");
  Client both(running.server.port(), trust);
  REQUIRE(both.connected());
  const unsigned char* chosen = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(both.session(), &chosen, &size);
  CHECK(std::string(reinterpret_cast<const char*>(chosen), size) == "http/1.1");
  trust.alpn.clear();
  CHECK(Client(running.server.port(), trust).connected());
  trust.alpn = std::string("\x02h2");
  CHECK_FALSE(Client(running.server.port(), trust).connected());
}

TEST_CASE("bytes_that_are_no_tls_end_the_connection") {
  Running running;
  running.start();
  Client client(running.server.port());
  REQUIRE(client.send(std::string(100, '\0')));
  CHECK_FALSE(client.receive());
  CHECK(Client(running.server.port(), running.trust()).connected());
  CHECK(metric_reaches(*running.registry, R"(toposeg_http_rejected_total{port="https",reason="tls"})", "1"));
}

TEST_CASE("no_handshake_succeeds_before_there_is_a_certificate") {
  Running running;
  auto store = std::make_shared<certs::Store>();
  Server server(loopback(), store, std::make_shared<prometheus::Registry>());
  server.post("/echo", [](const Call& call) { return Answer{.body = std::string(call.body)}; });
  REQUIRE(server.start());
  CHECK_FALSE(Client(server.port(), running.trust()).connected());
  store->set(*running.store->get());
  CHECK(Client(server.port(), running.trust()).connected());
}

TEST_CASE("a_new_certificate_serves_new_connections_and_old_ones_go_on") {
  Running running;
  running.start();
  Client before(running.server.port(), running.trust());
  const auto shown = [](const Client& client) {
    const certs::CertificateOwner certificate(SSL_get1_peer_certificate(client.session()));
    return certs::write_certificate(certificate.get()).value();
  };
  running.renew();
  Client after(running.server.port(), running.trust());
  REQUIRE(after.connected());
  CHECK(shown(before) != shown(after));
  CHECK(before.ask(post("/echo", "old")).value().body == "old");
  CHECK(after.ask(post("/echo", "new")).value().body == "new");
}

TEST_CASE("certificates_change_under_load_and_no_request_fails") {
  Running running;
  running.start();
  std::atomic<int> answered{0};
  std::atomic<int> failed{0};
  std::vector<std::thread> clients;
  clients.reserve(8);
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&] {
      for (int connection = 0; connection < 20; ++connection) {
        Client client(running.server.port(), running.trust());
        for (int request = 0; request < 5; ++request) {
          const auto reply = client.ask(post("/echo", "x"));
          ++(reply && reply->status == 200 ? answered : failed);
        }
      }
    });
  }
  while (answered + failed < 380) running.renew();
  for (auto& client : clients) client.join();
  CHECK(answered == 400);
  CHECK(failed == 0);
}

TEST_CASE("a_session_is_resumed_without_a_new_signature") {
  Running running;
  running.start();
  Client first(running.server.port(), running.trust());
  REQUIRE(first.ask(post("/echo", "x")));  // the ticket comes with the first answer
  const std::unique_ptr<SSL_SESSION, certs::FreeWith<SSL_SESSION_free>> session(
      SSL_get1_session(first.session()));
  CHECK(SSL_SESSION_is_resumable(session.get()) == 1);
}

TEST_CASE("client_certificates_are_demanded_when_a_client_authority_is_set") {
  const SystemClock clock;
  const auto clients = certs::Authority::create(clock).value();
  const toposeg::test::TextFile ca_file(clients.certificate_pem());
  auto config = loopback();
  config.client_ca_file = ca_file.path();
  Running running(config);
  running.start();

  const auto works = [&](const Trust& trust) {
    Client client(running.server.port(), trust);
    return client.connected() && client.ask(post("/echo", "x")).has_value();
  };
  Trust trust = running.trust();
  CHECK_FALSE(works(trust));
  show_client_certificate_of(clients, trust);
  CHECK(works(trust));
  show_client_certificate_of(certs::Authority::create(clock).value(), trust);
  CHECK_FALSE(works(trust));
}

TEST_CASE("a_client_authority_that_cannot_be_read_is_named") {
  auto config = loopback();
  config.client_ca_file = "/nonexistent/ca.crt";
  Running running(config);
  const auto started = running.server.start();
  REQUIRE_FALSE(started);
  CHECK(started.error().text().starts_with("/nonexistent/ca.crt: the client CA cannot be loaded: "));
}

}  // namespace
}  // namespace toposeg::webhook::test
