// The bearer token of the moment. The kubelet renews the file at four fifths of the token's life.
#pragma once

#include <optional>
#include <string>

#include "common/base/clock.h"
#include "webhook/kube_api/credentials.h"

namespace toposeg::webhook::kube_api {

// One thread at a time.
class TokenSource {
 public:
  explicit TokenSource(Source source) : source_(std::move(source)) {}

  // Empty when there is none. A file is read again when the last reading is a minute old; while it cannot be
  // read or is empty, the token before stays in use. Errors, only without a token before, never show one.
  [[nodiscard]] Result<std::string> get(Instant now);

  // The API server refused it: the next get() reads again.
  void forget() { read_at_.reset(); }

 private:
  Source source_;
  std::string token_;
  std::optional<Instant> read_at_;
};

}  // namespace toposeg::webhook::kube_api
