#include "common/base/small_file.h"

#include <cerrno>
#include <fstream>
#include <system_error>

namespace toposeg {

namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 20U;

}  // namespace

Result<std::string> read_small_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return fail(Code::kUnavailable, "cannot be read: " + std::generic_category().message(errno), path);
  }
  std::string text(kLargestFile + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) return fail(Code::kUnavailable, "cannot be read", path);
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kLargestFile) return fail(Code::kTooLarge, "larger than 1 MiB", path);
  return text;
}

std::string trimmed(const std::string& text) {
  constexpr const char* kSpace = " \t\r\n";
  const auto begin = text.find_first_not_of(kSpace);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

}  // namespace toposeg
