#include "certs/store.h"

#include <openssl/err.h>
#include <openssl/pem.h>

#include "certs/authority.h"
#include "certs/openssl.h"
#include "certs/pem.h"
#include "unit/catch.h"

namespace toposeg::certs {
namespace {

struct Texts {
  std::string certificate;
  std::string key;
};

Texts leaf_texts(const Clock& clock) {
  const auto leaf = Authority::create(clock).value().issue({"localhost"}, clock).value();
  return {write_certificate(leaf.chain.front().get()).value(), write_key(leaf.key.get()).value()};
}

TEST_CASE("a_leaf_with_its_chain_and_key_is_read_in_order") {
  const ManualClock clock;
  const auto [certificate, key] = leaf_texts(clock);
  const auto authority = Authority::create(clock).value();
  const auto pair = parse_pair(certificate + authority.certificate_pem(), key);
  REQUIRE(pair);
  CHECK(pair->chain.size() == 2);
  CHECK(write_certificate(pair->chain.front().get()).value() == certificate);
  CHECK(pair->not_after == clock.wall() + std::chrono::hours(24 * 7));
  CHECK(ERR_peek_error() == 0);
}

TEST_CASE("each_way_a_pair_can_be_wrong_has_its_own_message") {
  const ManualClock clock;
  const auto [certificate, key] = leaf_texts(clock);
  const auto authority = Authority::create(clock).value();
  const auto message = [](const std::string& certificates, const std::string& private_key) {
    const auto pair = parse_pair(certificates, private_key);
    CHECK(ERR_peek_error() == 0);
    return pair ? std::string("accepted") : pair.error().text();
  };
  CHECK(message(certificate, key) == "accepted");
  CHECK(message("", key) == "no certificate found; expected PEM text with -----BEGIN CERTIFICATE-----");
  CHECK(message(certificate, "") ==
        "no private key found; expected PEM text with -----BEGIN PRIVATE KEY-----");
  CHECK(message(certificate, leaf_texts(clock).key) ==
        "the private key does not belong to the certificate: key values mismatch");
  CHECK(message(authority.certificate_pem(), authority.key_pem().value()) ==
        "the certificate has no subject alternative name; clients ignore the common name, so name the "
        "service there");
  const auto broken = certificate.substr(0, 100) + "!!" + certificate.substr(102);
  CHECK(message(broken, key).starts_with("certificate 1 of the PEM text cannot be read: "));
  CHECK(message(certificate + certificate.substr(0, 200), key)
            .starts_with("certificate 2 of the PEM text cannot be read: "));
}

TEST_CASE("an_encrypted_key_is_refused_without_asking_for_a_pass_phrase") {
  const ManualClock clock;
  const auto leaf = Authority::create(clock).value().issue({"localhost"}, clock).value();
  const BioOwner bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_PKCS8PrivateKey(bio.get(), leaf.key.get(), EVP_aes_256_cbc(), "secret", 6, nullptr, nullptr);
  char* data = nullptr;
  const auto size = BIO_get_mem_data(bio.get(), &data);
  const auto pair = parse_pair(write_certificate(leaf.chain.front().get()).value(),
                               std::string(data, static_cast<std::size_t>(size)));
  REQUIRE_FALSE(pair);
  CHECK(pair.error().text() == "the private key is encrypted; give it without a pass phrase");
}

TEST_CASE("an_expired_or_early_certificate_is_only_warned_about") {
  ManualClock clock;
  const auto [certificate, key] = leaf_texts(clock);
  const auto pair = parse_pair(certificate, key).value();
  CHECK(warning_about(pair, clock.wall()).empty());
  CHECK(warning_about(pair, clock.wall() + std::chrono::hours(24 * 8)) ==
        "the certificate expired at 2027-01-22T08:00:00Z; clients will refuse it");
  CHECK(warning_about(pair, clock.wall() - std::chrono::hours(1)) ==
        "the certificate is not valid before 2027-01-15T07:55:00Z; clients will refuse it");
}

TEST_CASE("renewal_is_due_after_two_thirds_of_the_life") {
  const WallTime start{std::chrono::hours(1000)};
  const Pair pair{.chain = {}, .key = {}, .not_before = start, .not_after = start + std::chrono::hours(90)};
  CHECK(renewal_time(pair) == start + std::chrono::hours(60));
}

TEST_CASE("a_reader_keeps_the_pair_it_took_while_the_store_moves_on") {
  const ManualClock clock;
  Store store;
  CHECK(store.get() == nullptr);
  const auto [certificate, key] = leaf_texts(clock);
  store.set(parse_pair(certificate, key).value());
  const auto first = store.get();
  const auto [next_certificate, next_key] = leaf_texts(clock);
  store.set(parse_pair(next_certificate, next_key).value());
  CHECK(write_certificate(first->chain.front().get()).value() == certificate);
  CHECK(write_certificate(store.get()->chain.front().get()).value() == next_certificate);
}

}  // namespace
}  // namespace toposeg::certs
