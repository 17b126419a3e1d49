#include "webhook/kube_api/token_source.h"

#include <algorithm>

#include "common/base/small_file.h"

namespace toposeg::webhook::kube_api {

namespace {

constexpr std::chrono::seconds kReadAgain{60};

// Anything else could end the header that it is put in.
bool can_stand_in_header(const std::string& token) {
  return std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < '\x7F'; });
}

Result<std::string> read(const Source& source) {
  const auto text = source.read();
  if (!text) return std::unexpected(text.error());
  std::string token = trimmed(*text);
  const std::string where = source.file.empty() ? "token" : source.file;
  if (token.empty()) return fail(Code::kUnavailable, "is empty; expected a bearer token", where);
  if (!can_stand_in_header(token)) {
    return fail(Code::kInvalid, "holds more than a token; expected one word of visible ASCII", where);
  }
  return token;
}

}  // namespace

Result<std::string> TokenSource::get(Instant now) {
  if (source_.empty()) return std::string();
  if (read_at_ && now - *read_at_ < kReadAgain) return token_;
  auto token = read(source_);
  if (!token && token_.empty()) return token;
  if (token) token_ = *std::move(token);
  read_at_ = now;
  return token_;
}

}  // namespace toposeg::webhook::kube_api
