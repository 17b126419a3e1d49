// The certificate that the server shows: from two files that somebody renews, or from a CA of our own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "certs/authority.h"
#include "certs/files.h"
#include "certs/store.h"
#include "common/base/clock.h"
#include "common/base/log.h"
#include "common/config/config.h"

namespace toposeg::webhook {

enum class Renewal : std::uint8_t { kNone, kTaken, kRefused };

class ServingCertificates {
 public:
  // With certificate and key files: the first reading has to succeed. Without: a new CA and a leaf for
  // `config.server_names`, or for this machine's loopback names and the Service in `own_namespace`. `clock`
  // outlives it.
  [[nodiscard]] static Result<ServingCertificates> create(const config::ServerConfig& config,
                                                          const std::string& own_namespace,
                                                          const Clock& clock);

  [[nodiscard]] std::shared_ptr<certs::Store> store() const { return store_; }
  // The self-made CA in PEM, for clients; empty with files.
  [[nodiscard]] std::string ca_pem() const;

  // Takes changed files, or renews the leaf at two thirds of its life. Faults go to the log; the last good
  // pair stays. To be called now and then, by one thread.
  Renewal refresh(const log::Logger& logger);

 private:
  explicit ServingCertificates(const Clock& clock)
      : clock_(&clock), store_(std::make_shared<certs::Store>()) {}
  [[nodiscard]] Result<void> renew();

  const Clock* clock_;
  std::shared_ptr<certs::Store> store_;
  std::optional<certs::Files> files_;
  std::optional<certs::Authority> authority_;
  std::vector<std::string> names_;
};

}  // namespace toposeg::webhook
