// PEM texts to OpenSSL's objects and back. Encrypted keys are refused: nobody is there to type a pass phrase.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "certs/openssl.h"
#include "common/base/clock.h"

namespace toposeg::certs {

// Every CERTIFICATE block, in the order of the text; kInvalid when there is none or one does not parse.
[[nodiscard]] Result<std::vector<std::shared_ptr<X509>>> read_certificates(const std::string& pem);
[[nodiscard]] Result<std::shared_ptr<EVP_PKEY>> read_key(const std::string& pem);

[[nodiscard]] Result<std::string> write_certificate(X509* certificate);
// PKCS #8, not encrypted.
[[nodiscard]] Result<std::string> write_key(EVP_PKEY* key);

// kInvalid unless the key is the certificate's own.
[[nodiscard]] Result<void> check_key_matches(X509* certificate, EVP_PKEY* key);

[[nodiscard]] WallTime to_wall_time(const ASN1_TIME* time);

}  // namespace toposeg::certs
