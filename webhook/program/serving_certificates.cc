#include "webhook/program/serving_certificates.h"

#include <utility>

namespace toposeg::webhook {

Result<ServingCertificates> ServingCertificates::create(const config::ServerConfig& config,
                                                        const std::string& own_namespace,
                                                        const Clock& clock) {
  ServingCertificates result(clock);
  if (!config.certificate_file.empty()) {
    result.files_.emplace(config.certificate_file, config.key_file, result.store_);
    if (auto first = result.files_->poll(clock.wall()); !first) return std::unexpected(first.error());
    return result;
  }
  auto authority = certs::Authority::create(clock);
  if (!authority) return std::unexpected(authority.error());
  result.authority_ = std::move(*authority);
  result.names_ = config.server_names;
  if (result.names_.empty()) {
    result.names_ = {"localhost", "127.0.0.1", "::1", "toposeg-webhook." + own_namespace + ".svc"};
  }
  if (auto renewed = result.renew(); !renewed) return std::unexpected(renewed.error());
  return result;
}

std::string ServingCertificates::ca_pem() const {
  return authority_ ? std::string(authority_->certificate_pem()) : std::string();
}

Result<void> ServingCertificates::renew() {
  auto leaf = authority_->issue(names_, *clock_);
  if (!leaf) return std::unexpected(leaf.error());
  store_->set(std::move(*leaf));
  return {};
}

Renewal ServingCertificates::refresh(const log::Logger& logger) {
  if (files_) {
    const auto polled = files_->poll(clock_->wall());
    if (!polled) {
      logger.error("Certificate kept, the new one is refused", {{"err", polled.error().text()}});
      return Renewal::kRefused;
    }
    if (!polled->changed) return Renewal::kNone;
    logger.info("Certificate changed", {{"warning", polled->warning}});
    return Renewal::kTaken;
  }
  const auto pair = store_->get();
  if (pair && clock_->wall() < certs::renewal_time(*pair)) return Renewal::kNone;
  if (const auto renewed = renew(); !renewed) {
    logger.error("Certificate not renewed", {{"err", renewed.error().text()}});
    return Renewal::kRefused;
  }
  logger.info("Certificate renewed");
  return Renewal::kTaken;
}

}  // namespace toposeg::webhook
