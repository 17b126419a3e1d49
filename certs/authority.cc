#include "certs/authority.h"

#include <openssl/rand.h>

#include <algorithm>
#include <array>

#include "certs/extensions.h"
#include "certs/openssl.h"
#include "certs/pem.h"

namespace toposeg::certs {
namespace {

constexpr std::chrono::minutes kClockSkew{5};
constexpr int kVersion3 = 2;  // as X.509 counts

Result<std::shared_ptr<EVP_PKEY>> new_key() {
  std::shared_ptr<EVP_PKEY> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  if (!key) return openssl_failure(Code::kInternal, "a key cannot be made");
  return key;
}

Result<void> set_random_serial(X509* certificate) {
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) {
    return openssl_failure(Code::kInternal, "no random serial number");
  }
  bytes.front() |= 1U;  // never zero (RFC 5280 section 4.1.2.2)
  const BignumOwner number(BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr));
  if (!number || BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) == nullptr) {
    return openssl_failure(Code::kInternal, "no random serial number");
  }
  return {};
}

// Everything but the extensions and the signature. Subject common name as given.
Result<std::shared_ptr<X509>> blank(const char* common_name, EVP_PKEY* key, WallTime from, WallTime until) {
  std::shared_ptr<X509> certificate(X509_new(), X509_free);
  if (!certificate) return openssl_failure(Code::kInternal, "a certificate cannot be made");
  X509* raw = certificate.get();
  if (auto serial = set_random_serial(raw); !serial) return std::unexpected(serial.error());
  const auto* name = reinterpret_cast<const unsigned char*>(common_name);
  const bool made =
      X509_set_version(raw, kVersion3) == 1 && X509_set_pubkey(raw, key) == 1 &&
      ASN1_TIME_set(X509_getm_notBefore(raw), std::chrono::system_clock::to_time_t(from)) != nullptr &&
      ASN1_TIME_set(X509_getm_notAfter(raw), std::chrono::system_clock::to_time_t(until)) != nullptr &&
      X509_NAME_add_entry_by_txt(X509_get_subject_name(raw), "CN", MBSTRING_ASC, name, -1, -1, 0) == 1;
  if (!made) return openssl_failure(Code::kInternal, "a certificate cannot be made");
  return certificate;
}

Result<void> sign(X509* certificate, X509* issuer, EVP_PKEY* issuer_key) {
  if (X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) != 1 ||
      X509_sign(certificate, issuer_key, EVP_sha256()) == 0) {
    return openssl_failure(Code::kInternal, "the certificate cannot be signed");
  }
  return {};
}

}  // namespace

Result<Authority> Authority::from(std::shared_ptr<x509_st> certificate, std::shared_ptr<evp_pkey_st> key) {
  auto text = write_certificate(certificate.get());
  if (!text) return std::unexpected(text.error());
  Pair pair{.chain = {certificate},
            .key = std::move(key),
            .not_before = to_wall_time(X509_get0_notBefore(certificate.get())),
            .not_after = to_wall_time(X509_get0_notAfter(certificate.get()))};
  return Authority(std::move(pair), std::move(*text));
}

Result<Authority> Authority::create(const Clock& clock, std::chrono::hours life) {
  auto key = new_key();
  if (!key) return std::unexpected(key.error());
  const WallTime now = clock.wall();
  auto certificate = blank("toposeg-ca", key->get(), now - kClockSkew, now + life);
  if (!certificate) return std::unexpected(certificate.error());
  X509* raw = certificate->get();
  if (auto extended = add_authority_extensions(raw); !extended) return std::unexpected(extended.error());
  if (auto signed_by_itself = sign(raw, raw, key->get()); !signed_by_itself) {
    return std::unexpected(signed_by_itself.error());
  }
  return from(std::move(*certificate), std::move(*key));
}

Result<Authority> Authority::load(const std::string& certificate_pem, const std::string& key_pem) {
  auto chain = read_certificates(certificate_pem);
  if (!chain) return std::unexpected(chain.error());
  auto key = read_key(key_pem);
  if (!key) return std::unexpected(key.error());
  X509* raw = chain->front().get();
  if (auto matches = check_key_matches(raw, key->get()); !matches) return std::unexpected(matches.error());
  if (X509_check_ca(raw) != 1) {
    return fail(Code::kInvalid, "the certificate may not sign others; expected basicConstraints CA:TRUE");
  }
  return from(chain->front(), std::move(*key));
}

Result<Pair> Authority::issue(const std::vector<std::string>& names, const Clock& clock,
                              std::chrono::hours life) const {
  auto key = new_key();
  if (!key) return std::unexpected(key.error());
  X509* issuer = pair_.chain.front().get();
  const WallTime from = std::max(clock.wall() - kClockSkew, pair_.not_before);
  const WallTime until = std::min(clock.wall() + life, pair_.not_after);
  if (until <= from) {
    return fail(Code::kConflict, "the authority has expired and can sign nothing; make a new one");
  }
  auto certificate = blank("toposeg-webhook", key->get(), from, until);
  if (!certificate) return std::unexpected(certificate.error());
  X509* raw = certificate->get();
  if (auto extended = add_serving_extensions(raw, issuer, names); !extended) {
    return std::unexpected(extended.error());
  }
  if (auto done = sign(raw, issuer, pair_.key.get()); !done) return std::unexpected(done.error());
  return Pair{.chain = {std::move(*certificate)},
              .key = std::move(*key),
              .not_before = to_wall_time(X509_get0_notBefore(raw)),
              .not_after = to_wall_time(X509_get0_notAfter(raw))};
}

Result<std::string> Authority::key_pem() const { return write_key(pair_.key.get()); }

}  // namespace toposeg::certs
