#include "certs/store.h"

#include <fmt/chrono.h>

#include "certs/openssl.h"
#include "certs/pem.h"

namespace toposeg::certs {
namespace {

Result<void> check_has_names(X509* leaf) {
  const NamesOwner names(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(leaf, NID_subject_alt_name, nullptr, nullptr)));
  if (names && sk_GENERAL_NAME_num(names.get()) > 0) return {};
  return fail(
      Code::kInvalid,
      "the certificate has no subject alternative name; clients ignore the common name, so name the service "
      "there");
}

std::string day_and_time(WallTime time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

}  // namespace

Result<Pair> parse_pair(const std::string& certificates_pem, const std::string& key_pem) {
  auto chain = read_certificates(certificates_pem);
  if (!chain) return std::unexpected(chain.error());
  auto key = read_key(key_pem);
  if (!key) return std::unexpected(key.error());
  X509* leaf = chain->front().get();
  if (auto matches = check_key_matches(leaf, key->get()); !matches) return std::unexpected(matches.error());
  if (auto named = check_has_names(leaf); !named) return std::unexpected(named.error());
  return Pair{.chain = std::move(*chain),
              .key = std::move(*key),
              .not_before = to_wall_time(X509_get0_notBefore(leaf)),
              .not_after = to_wall_time(X509_get0_notAfter(leaf))};
}

std::string warning_about(const Pair& pair, WallTime now) {
  if (now >= pair.not_after) {
    return "the certificate expired at " + day_and_time(pair.not_after) + "; clients will refuse it";
  }
  if (now < pair.not_before) {
    return "the certificate is not valid before " + day_and_time(pair.not_before) +
           "; clients will refuse it";
  }
  return {};
}

WallTime renewal_time(const Pair& pair) {
  return pair.not_before + (pair.not_after - pair.not_before) * 2 / 3;
}

void Store::set(Pair pair) {
  auto next = std::make_shared<const Pair>(std::move(pair));
  const std::scoped_lock lock(mutex_);
  pair_.swap(next);
}

std::shared_ptr<const Pair> Store::get() const {
  const std::scoped_lock lock(mutex_);
  return pair_;
}

}  // namespace toposeg::certs
