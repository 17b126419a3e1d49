#include "common/kube/text_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <istream>
#include <string_view>
#include <utility>

namespace toposeg::kube {

std::size_t TextSource::line() {
  count_lines();
  return lines_;
}

void TextSource::count_lines() {
  if (counted_ == nullptr) return;
  lines_ += static_cast<std::size_t>(std::count(counted_, static_cast<const char*>(gptr()), '\n'));
  counted_ = gptr();
}

char TextSource::first_visible() {
  if (sgetc() == traits_type::eof()) return 0;
  std::string_view text(gptr(), static_cast<std::size_t>(egptr() - gptr()));
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const auto found = text.find_first_not_of(" \t\r\n");
  return found == std::string_view::npos ? '\0' : text[found];
}

TextSource::int_type TextSource::underflow() {
  if (gptr() < egptr()) return traits_type::to_int_type(*gptr());
  count_lines();
  before_block_ = offset();
  setg(block_.data(), block_.data(), block_.data());
  counted_ = block_.data();
  if (fault_) return traits_type::eof();
  if (pending_) {
    fault_ = std::move(pending_);
    return traits_type::eof();
  }
  if (before_block_ - marked_ > most_bytes_) {
    fault_ = Error{Code::kTooLarge, fmt::format("one object takes more than {} bytes", most_bytes_), {}};
    return traits_type::eof();
  }
  input_.read(block_.data(), static_cast<std::streamsize>(block_.size()));
  auto size = static_cast<std::size_t>(input_.gcount());
  if (input_.bad()) pending_ = Error{Code::kUnavailable, "reading failed before the end of the text", {}};
  cut_at_forbidden_byte(size);
  setg(block_.data(), block_.data(), block_.data() + size);
  return size == 0 ? underflow_at_end() : traits_type::to_int_type(*gptr());
}

TextSource::int_type TextSource::underflow_at_end() {
  if (pending_) fault_ = std::move(pending_);
  return traits_type::eof();
}

void TextSource::cut_at_forbidden_byte(std::size_t& size) {
  for (const char forbidden : {'\0', '\x04'}) {
    const void* found = std::memchr(block_.data(), forbidden, size);
    if (found == nullptr) continue;
    size = static_cast<std::size_t>(static_cast<const char*>(found) - block_.data());
    pending_ = Error{Code::kInvalid,
                     forbidden == '\0' ? "a NUL byte; text in UTF-8 is wanted"
                                       : "a control character (0x04); text in UTF-8 is wanted",
                     {}};
  }
}

}  // namespace toposeg::kube
