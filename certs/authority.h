// The self-made CA and the leaves it signs: ECDSA P-256, random serials, key never written unless asked for.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "certs/store.h"

namespace toposeg::certs {

class Authority {
 public:
  // A new CA valid from now (less five minutes for clock skew).
  [[nodiscard]] static Result<Authority> create(const Clock& clock, std::chrono::hours life = std::chrono::hours(24 * 365));
  [[nodiscard]] static Result<Authority> load(const std::string& certificate_pem, const std::string& key_pem);

  // A serving leaf for these names (DNS names or IP addresses; at least one), signed by this CA.
  [[nodiscard]] Result<Pair> issue(const std::vector<std::string>& names, const Clock& clock,
                                   std::chrono::hours life = std::chrono::hours(24 * 7)) const;

  [[nodiscard]] std::string certificate_pem() const;  // the caBundle
  [[nodiscard]] std::string key_pem() const;          // secret

 private:
  explicit Authority(Pair pair) : pair_(std::move(pair)) {}
  Pair pair_;
};

}  // namespace toposeg::certs
