// Owners of OpenSSL's objects, and its error queue as one Error. The only place that names OpenSSL's free
// functions.
#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>

#include "common/base/error.h"

namespace toposeg::certs {

template <auto Free>
struct FreeWith {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};

using BioOwner = std::unique_ptr<BIO, FreeWith<BIO_free_all>>;
using BignumOwner = std::unique_ptr<BIGNUM, FreeWith<BN_free>>;
using ExtensionOwner = std::unique_ptr<X509_EXTENSION, FreeWith<X509_EXTENSION_free>>;
using NamesOwner = std::unique_ptr<GENERAL_NAMES, FreeWith<GENERAL_NAMES_free>>;
using NameOwner = std::unique_ptr<GENERAL_NAME, FreeWith<GENERAL_NAME_free>>;
using OctetsOwner = std::unique_ptr<ASN1_OCTET_STRING, FreeWith<ASN1_OCTET_STRING_free>>;
using TextOwner = std::unique_ptr<ASN1_IA5STRING, FreeWith<ASN1_IA5STRING_free>>;
using CertificateOwner = std::unique_ptr<X509, FreeWith<X509_free>>;
using KeyOwner = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
using ContextOwner = std::unique_ptr<SSL_CTX, FreeWith<SSL_CTX_free>>;
using SessionOwner = std::unique_ptr<SSL, FreeWith<SSL_free>>;

// The reason text of the oldest error of this thread's queue, which is emptied; a fixed text when there is
// none.
[[nodiscard]] std::string take_openssl_reason();

// `what` with the reason appended: "the private key cannot be read: bad decrypt".
[[nodiscard]] std::unexpected<Error> openssl_failure(Code code, const std::string& what,
                                                     std::string where = {});

}  // namespace toposeg::certs
