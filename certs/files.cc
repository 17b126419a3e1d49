#include "certs/files.h"

#include <array>

#include "certs/openssl.h"
#include "common/base/small_file.h"

namespace toposeg::certs {
namespace {

Result<std::string> read_file(const std::string& path) {
  auto text = read_small_file(path);
  if (!text && text.error().code == Code::kTooLarge) text.error().message += "; expected a PEM file";
  return text;
}

std::string state_of(const Result<std::string>& file) {
  const std::string& text = file ? *file : file.error().message;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr);
  return (file ? "read " : "failed ") + std::string(digest.begin(), digest.begin() + size);
}

}  // namespace

Files::Files(std::string certificate_file, std::string key_file, std::shared_ptr<Store> store)
    : certificate_file_(std::move(certificate_file)),
      key_file_(std::move(key_file)),
      store_(std::move(store)) {}

Result<Files::Polled> Files::poll(WallTime now) {
  const auto certificates = read_file(certificate_file_);
  const auto key = read_file(key_file_);
  std::string state = state_of(certificates) + state_of(key);
  if (state == seen_) return Polled{};
  seen_ = std::move(state);
  return take(certificates, key, now);
}

Result<Files::Polled> Files::take(const Result<std::string>& certificates, const Result<std::string>& key,
                                  WallTime now) {
  if (!certificates) return std::unexpected(certificates.error());
  if (!key) return std::unexpected(key.error());
  auto pair = parse_pair(*certificates, *key);
  if (!pair) {
    return fail(pair.error().code, pair.error().text(), certificate_file_ + " with " + key_file_);
  }
  Polled polled{.changed = true, .warning = warning_about(*pair, now)};
  store_->set(std::move(*pair));
  return polled;
}

}  // namespace toposeg::certs
