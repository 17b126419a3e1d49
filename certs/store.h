// The certificate that TLS handshakes use now. Swapped as one, so that no connection sees half a change.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/error.h"

struct x509_st;
struct evp_pkey_st;

namespace toposeg::certs {

// A certificate chain (leaf first) with its private key. Immutable.
struct Pair {
  std::vector<std::shared_ptr<x509_st>> chain;
  std::shared_ptr<evp_pkey_st> key;
  WallTime not_before;  // of the leaf
  WallTime not_after;
};

// PEM texts to a pair; kInvalid when they do not parse, do not belong together, or the leaf has no SAN
// (clients of the API server's kind look at nothing else).
[[nodiscard]] Result<Pair> parse_pair(const std::string& certificates_pem, const std::string& key_pem);

// What an operator should know about a pair that works nevertheless: expired, or not valid yet. Empty when
// all is well.
[[nodiscard]] std::string warning_about(const Pair& pair, WallTime now);

// Two thirds of the leaf's life: the time to have a new one.
[[nodiscard]] WallTime renewal_time(const Pair& pair);

// Thread safe.
class Store {
 public:
  void set(Pair pair);
  [[nodiscard]] std::shared_ptr<const Pair> get() const;  // null until the first set()

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Pair> pair_;
};

}  // namespace toposeg::certs
