#include "certs/openssl.h"

#include <openssl/err.h>

namespace toposeg::certs {

std::string take_openssl_reason() {
  const unsigned long first = ERR_get_error();  // NOLINT(google-runtime-int): OpenSSL's own type
  ERR_clear_error();
  if (first == 0) return "no reason given by OpenSSL";
  if (const char* reason = ERR_reason_error_string(first)) return reason;
  std::string text(256, '\0');
  ERR_error_string_n(first, text.data(), text.size());
  text.resize(text.find('\0'));
  return text;
}

std::unexpected<Error> openssl_failure(Code code, const std::string& what, std::string where) {
  return fail(code, what + ": " + take_openssl_reason(), std::move(where));
}

}  // namespace toposeg::certs
