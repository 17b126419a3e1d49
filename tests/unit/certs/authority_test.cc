#include "certs/authority.h"

#include <set>

#include "certs/openssl.h"
#include "certs/pem.h"
#include "unit/catch.h"

namespace toposeg::certs {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

X509* leaf_of(const Pair& pair) { return pair.chain.front().get(); }

std::string extension_text(X509* certificate, int id) {
  const int place = X509_get_ext_by_NID(certificate, id, -1);
  if (place < 0) return "absent";
  X509_EXTENSION* extension = X509_get_ext(certificate, place);
  const BioOwner bio(BIO_new(BIO_s_mem()));
  X509V3_EXT_print(bio.get(), extension, 0, 0);
  char* data = nullptr;
  const auto size = BIO_get_mem_data(bio.get(), &data);
  return (X509_EXTENSION_get_critical(extension) != 0 ? "critical " : "") +
         std::string(data, static_cast<std::size_t>(size));
}

// As a client does it; the empty text when the chain holds.
std::string verify(const Authority& authority, const Pair& pair, const std::string& name, WallTime when) {
  const std::unique_ptr<X509_STORE, FreeWith<X509_STORE_free>> trusted(X509_STORE_new());
  X509_STORE_add_cert(trusted.get(), read_certificates(authority.certificate_pem()).value().front().get());
  const std::unique_ptr<X509_STORE_CTX, FreeWith<X509_STORE_CTX_free>> check(X509_STORE_CTX_new());
  X509_STORE_CTX_init(check.get(), trusted.get(), leaf_of(pair), nullptr);
  X509_VERIFY_PARAM* rules = X509_STORE_CTX_get0_param(check.get());
  X509_VERIFY_PARAM_set_time(rules, std::chrono::system_clock::to_time_t(when));
  X509_VERIFY_PARAM_set_purpose(rules, X509_PURPOSE_SSL_SERVER);
  X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_X509_STRICT);
  if (X509_VERIFY_PARAM_set1_ip_asc(rules, name.c_str()) != 1)
    X509_VERIFY_PARAM_set1_host(rules, name.c_str(), 0);
  if (X509_verify_cert(check.get()) == 1) return {};
  return X509_verify_cert_error_string(X509_STORE_CTX_get_error(check.get()));
}

TEST_CASE("strict_clients_trust_a_leaf_for_each_of_its_names_and_no_other") {
  const ManualClock clock;
  const auto authority = Authority::create(clock).value();
  const auto leaf =
      authority.issue({"toposeg.toposeg-system.svc", "*.example.org", "127.0.0.1", "fd00::1"}, clock);
  REQUIRE(leaf);
  CHECK(verify(authority, *leaf, "toposeg.toposeg-system.svc", clock.wall()).empty());
  CHECK(verify(authority, *leaf, "one.example.org", clock.wall()).empty());
  CHECK(verify(authority, *leaf, "127.0.0.1", clock.wall()).empty());
  CHECK(verify(authority, *leaf, "fd00::1", clock.wall()).empty());
  CHECK(verify(authority, *leaf, "other.toposeg-system.svc", clock.wall()) == "hostname mismatch");
  CHECK(verify(authority, *leaf, "127.0.0.2", clock.wall()) == "IP address mismatch");
}

TEST_CASE("a_leaf_of_another_authority_is_not_trusted") {
  const ManualClock clock;
  const auto ours = Authority::create(clock).value();
  const auto theirs = Authority::create(clock).value();
  const auto leaf = theirs.issue({"localhost"}, clock).value();
  CHECK(verify(theirs, leaf, "localhost", clock.wall()).empty());
  CHECK(verify(ours, leaf, "localhost", clock.wall()) == "unable to get local issuer certificate");
}

TEST_CASE("a_leaf_is_valid_from_five_minutes_ago_until_its_life_ends") {
  ManualClock clock;
  const auto authority = Authority::create(clock).value();
  const auto leaf = authority.issue({"localhost"}, clock, hours(24)).value();
  CHECK(verify(authority, leaf, "localhost", clock.wall() - minutes(4)).empty());
  CHECK(verify(authority, leaf, "localhost", clock.wall() - minutes(6)) == "certificate is not yet valid");
  CHECK(verify(authority, leaf, "localhost", clock.wall() + hours(23)).empty());
  CHECK(verify(authority, leaf, "localhost", clock.wall() + hours(25)) == "certificate has expired");
  CHECK(leaf.not_before == clock.wall() - minutes(5));
  CHECK(leaf.not_after == clock.wall() + hours(24));
}

TEST_CASE("no_leaf_outlives_its_authority_and_an_expired_authority_signs_nothing") {
  ManualClock clock;
  const auto authority = Authority::create(clock, hours(48)).value();
  CHECK(authority.issue({"localhost"}, clock).value().not_after == authority.not_after());
  clock.advance(hours(49));
  const auto late = authority.issue({"localhost"}, clock);
  REQUIRE_FALSE(late);
  CHECK(late.error().text() == "the authority has expired and can sign nothing; make a new one");
}

TEST_CASE("the_leaf_may_serve_and_nothing_else_and_the_authority_may_only_sign") {
  const ManualClock clock;
  const auto authority = Authority::create(clock).value();
  const auto leaf = authority.issue({"localhost"}, clock).value();
  CHECK(extension_text(leaf_of(leaf), NID_key_usage) == "critical Digital Signature");
  CHECK(extension_text(leaf_of(leaf), NID_ext_key_usage) == "TLS Web Server Authentication");
  CHECK(extension_text(leaf_of(leaf), NID_basic_constraints) == "critical CA:FALSE");
  const auto certificates = read_certificates(authority.certificate_pem()).value();
  X509* root = certificates.front().get();
  CHECK(extension_text(root, NID_key_usage) == "critical Certificate Sign, CRL Sign");
  CHECK(extension_text(root, NID_basic_constraints) == "critical CA:TRUE, pathlen:0");
  CHECK(extension_text(leaf_of(leaf), NID_authority_key_identifier) ==
        extension_text(root, NID_subject_key_identifier));
}

TEST_CASE("serial_numbers_never_repeat_and_are_positive") {
  const ManualClock clock;
  const auto authority = Authority::create(clock).value();
  std::set<std::string> serials;
  for (int i = 0; i < 20; ++i) {
    const auto leaf = authority.issue({"localhost"}, clock).value();
    const BignumOwner number(ASN1_INTEGER_to_BN(X509_get0_serialNumber(leaf_of(leaf)), nullptr));
    CHECK(BN_is_negative(number.get()) == 0);
    CHECK(BN_num_bits(number.get()) > 64);
    char* text = BN_bn2hex(number.get());
    serials.insert(text);
    OPENSSL_free(text);
  }
  CHECK(serials.size() == 20);
}

TEST_CASE("a_wrong_server_name_is_named") {
  const ManualClock clock;
  const auto authority = Authority::create(clock).value();
  for (const std::string name :
       {"a b", "", "-a.example", "256.1.1.1", "a,IP:1.2.3.4", "fd00::zz", "a..b", "*.*.x"}) {
    const auto leaf = authority.issue({"localhost", name}, clock);
    REQUIRE_FALSE(leaf);
    CHECK(leaf.error().code == Code::kInvalid);
    CHECK(leaf.error().text() == "server name: \"" + name + "\" is neither a DNS name nor an IP address");
  }
  const auto nameless = authority.issue({}, clock);
  REQUIRE_FALSE(nameless);
  CHECK(nameless.error().text() == "server names: a serving certificate needs at least one name");
}

TEST_CASE("an_authority_that_was_saved_signs_leaves_that_its_old_certificate_verifies") {
  const ManualClock clock;
  const auto first = Authority::create(clock).value();
  const auto again = Authority::load(first.certificate_pem(), first.key_pem().value());
  REQUIRE(again);
  CHECK(again->certificate_pem() == first.certificate_pem());
  CHECK(verify(first, again->issue({"localhost"}, clock).value(), "localhost", clock.wall()).empty());
}

TEST_CASE("a_leaf_or_a_foreign_key_is_no_authority") {
  const ManualClock clock;
  const auto authority = Authority::create(clock).value();
  const auto other = Authority::create(clock).value();
  const auto foreign = Authority::load(authority.certificate_pem(), other.key_pem().value());
  REQUIRE_FALSE(foreign);
  CHECK(foreign.error().text() == "the private key does not belong to the certificate: key values mismatch");
  const auto leaf = authority.issue({"localhost"}, clock).value();
  const auto as_ca =
      Authority::load(write_certificate(leaf_of(leaf)).value(), write_key(leaf.key.get()).value());
  REQUIRE_FALSE(as_ca);
  CHECK(as_ca.error().text() == "the certificate may not sign others; expected basicConstraints CA:TRUE");
}

}  // namespace
}  // namespace toposeg::certs
