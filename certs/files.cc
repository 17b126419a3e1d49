#include "certs/files.h"

#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "certs/openssl.h"

namespace toposeg::certs {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 20U;

Result<std::string> read_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return fail(Code::kUnavailable, "cannot be read: " + std::generic_category().message(errno), path);
  }
  std::string text(kLargestFile + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) return fail(Code::kUnavailable, "cannot be read", path);
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kLargestFile)
    return fail(Code::kTooLarge, "larger than 1 MiB; expected a PEM file", path);
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
