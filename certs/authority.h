// The self-made CA and the leaves it signs: ECDSA P-256, random 128-bit serials, key never written unless
// asked for.
//
//   auto authority = Authority::create(clock);
//   auto leaf = authority->issue({"toposeg.toposeg-system.svc", "127.0.0.1"}, clock);
//   store.set(*leaf);
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "certs/store.h"

namespace toposeg::certs {

// Immutable; thread safe.
class Authority {
 public:
  // A new CA valid from now (less five minutes for clock skew).
  [[nodiscard]] static Result<Authority> create(const Clock& clock,
                                                std::chrono::hours life = std::chrono::hours(24 * 365));
  // kInvalid unless both parse, belong together and the certificate may sign others.
  [[nodiscard]] static Result<Authority> load(const std::string& certificate_pem, const std::string& key_pem);

  // A serving leaf for these names (DNS names, also with a leading "*.", or IP addresses; at least one),
  // signed by this CA, valid from five minutes ago and never longer than the CA. kInvalid names the faulty
  // name; kConflict when the CA itself has expired.
  [[nodiscard]] Result<Pair> issue(const std::vector<std::string>& names, const Clock& clock,
                                   std::chrono::hours life = std::chrono::hours(24 * 7)) const;

  [[nodiscard]] const std::string& certificate_pem() const { return certificate_pem_; }  // the caBundle
  [[nodiscard]] Result<std::string> key_pem() const;                                     // secret
  [[nodiscard]] WallTime not_after() const { return pair_.not_after; }

 private:
  Authority(Pair pair, std::string certificate_pem)
      : pair_(std::move(pair)), certificate_pem_(std::move(certificate_pem)) {}
  [[nodiscard]] static Result<Authority> from(std::shared_ptr<x509_st> certificate,
                                              std::shared_ptr<evp_pkey_st> key);

  Pair pair_;
  std::string certificate_pem_;
};

}  // namespace toposeg::certs
