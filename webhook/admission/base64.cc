#include "webhook/admission/base64.h"

#include <cstdint>

namespace toposeg::webhook {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::uint32_t byte_at(std::string_view bytes, std::size_t index) {
  return index < bytes.size() ? static_cast<unsigned char>(bytes[index]) : 0U;
}

}  // namespace

std::string encode_base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t group =
        byte_at(bytes, i) << 16U | byte_at(bytes, i + 1) << 8U | byte_at(bytes, i + 2);
    const std::size_t given = bytes.size() - i;
    out += kAlphabet[group >> 18U];
    out += kAlphabet[group >> 12U & 63U];
    out += given > 1 ? kAlphabet[group >> 6U & 63U] : '=';
    out += given > 2 ? kAlphabet[group & 63U] : '=';
  }
  return out;
}

Result<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) return fail(Code::kInvalid, "base64 text whose length is no multiple of 4");
  std::string out;
  out.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    std::uint32_t group = 0;
    std::size_t padding = 0;
    for (std::size_t j = i; j < i + 4; ++j) {
      const bool may_pad = j + 2 >= text.size();
      if (text[j] == '=' && may_pad) {
        ++padding;
        group <<= 6U;
        continue;
      }
      const std::size_t digit = kAlphabet.find(text[j]);
      if (digit == std::string_view::npos || padding > 0) {
        return fail(Code::kInvalid, "not a base64 character at position " + std::to_string(j));
      }
      group = group << 6U | static_cast<std::uint32_t>(digit);
    }
    out += static_cast<char>(group >> 16U & 255U);
    if (padding < 2) out += static_cast<char>(group >> 8U & 255U);
    if (padding < 1) out += static_cast<char>(group & 255U);
  }
  return out;
}

}  // namespace toposeg::webhook
