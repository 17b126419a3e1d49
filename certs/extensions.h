// The X.509 version 3 extensions of the certificates that we make (RFC 5280 section 4.2).
#pragma once

#include <string>
#include <vector>

#include "certs/openssl.h"

namespace toposeg::certs {

// `issuer` is the certificate itself for a self-signed one. Subject key identifier first, since the authority
// key identifier of a self-signed certificate is taken from it.
[[nodiscard]] Result<void> add_authority_extensions(X509* certificate);
[[nodiscard]] Result<void> add_serving_extensions(X509* certificate, X509* issuer,
                                                  const std::vector<std::string>& names);

}  // namespace toposeg::certs
