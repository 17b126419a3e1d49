#include "certs/pem.h"

#include <openssl/err.h>
#include <openssl/pem.h>

#include <ctime>

namespace toposeg::certs {
namespace {

// Given to OpenSSL in place of its default, which would ask on the terminal.
int no_pass_phrase(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*data*/) { return -1; }

BioOwner reader(const std::string& text) {
  return BioOwner(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

std::string contents(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);  // NOLINT(google-runtime-int)
  return {data, static_cast<std::size_t>(size)};
}

bool at_end_of_text() {
  const auto last = ERR_peek_last_error();
  return ERR_GET_LIB(last) == ERR_LIB_PEM && ERR_GET_REASON(last) == PEM_R_NO_START_LINE;
}

}  // namespace

Result<std::vector<std::shared_ptr<X509>>> read_certificates(const std::string& pem) {
  const BioOwner bio = reader(pem);
  std::vector<std::shared_ptr<X509>> chain;
  while (X509* certificate = PEM_read_bio_X509(bio.get(), nullptr, no_pass_phrase, nullptr)) {
    chain.emplace_back(certificate, X509_free);
  }
  if (!at_end_of_text()) {
    return openssl_failure(Code::kInvalid, "certificate " + std::to_string(chain.size() + 1) +
                                               " of the PEM text cannot be read");
  }
  ERR_clear_error();
  if (chain.empty()) {
    return fail(Code::kInvalid, "no certificate found; expected PEM text with -----BEGIN CERTIFICATE-----");
  }
  return chain;
}

Result<std::shared_ptr<EVP_PKEY>> read_key(const std::string& pem) {
  const BioOwner bio = reader(pem);
  EVP_PKEY* key = PEM_read_bio_PrivateKey(bio.get(), nullptr, no_pass_phrase, nullptr);
  if (key != nullptr) {
    ERR_clear_error();
    return std::shared_ptr<EVP_PKEY>(key, EVP_PKEY_free);
  }
  if (pem.find("PRIVATE KEY-----") == std::string::npos) {
    ERR_clear_error();
    return fail(Code::kInvalid, "no private key found; expected PEM text with -----BEGIN PRIVATE KEY-----");
  }
  if (pem.find("ENCRYPTED") != std::string::npos) {
    ERR_clear_error();
    return fail(Code::kInvalid, "the private key is encrypted; give it without a pass phrase");
  }
  return openssl_failure(Code::kInvalid, "the private key cannot be read");
}

Result<std::string> write_certificate(X509* certificate) {
  const BioOwner bio(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_X509(bio.get(), certificate) != 1) {
    return openssl_failure(Code::kInternal, "the certificate cannot be written");
  }
  return contents(bio.get());
}

Result<std::string> write_key(EVP_PKEY* key) {
  const BioOwner bio(BIO_new(BIO_s_secmem()));
  if (PEM_write_bio_PKCS8PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr) != 1) {
    return openssl_failure(Code::kInternal, "the private key cannot be written");
  }
  return contents(bio.get());
}

Result<void> check_key_matches(X509* certificate, EVP_PKEY* key) {
  if (X509_check_private_key(certificate, key) == 1) return {};
  return openssl_failure(Code::kInvalid, "the private key does not belong to the certificate");
}

WallTime to_wall_time(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return WallTime{};
  return WallTime{std::chrono::seconds(timegm(&parts))};
}

}  // namespace toposeg::certs
