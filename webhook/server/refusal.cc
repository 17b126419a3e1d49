#include "webhook/server/refusal.h"

#include <fmt/format.h>

namespace toposeg::webhook {
namespace {

// In the order of the enumeration.
constexpr std::array<RefusalText, kRefusals> kTexts{{
    {400, "malformed", "the request is not well-formed HTTP/1.1"},
    {405, "method", "this method is not served here"},
    {408, "timeout", "the request did not arrive in time"},
    {411, "no_length", "a Content-Length is required"},
    {413, "body_too_large", "the body is larger than this server takes"},
    {414, "target_too_long", "the request target is too long"},
    {415, "content_type", "the Content-Type must be application/json"},
    {415, "content_encoding", "the body must not be compressed: leave Content-Encoding out"},
    {417, "expectation", "only Expect: 100-continue is known"},
    {431, "header_too_large", "the header is larger than this server takes"},
    {501, "transfer_encoding", "Transfer-Encoding is not taken: send a Content-Length"},
    {505, "http_version", "only HTTP/1.1 and HTTP/1.0 are served"},
    {429, "busy", "too many requests are waiting"},
    {429, "connections", "too many connections are open"},
}};

std::string_view phrase_of(int status) {
  switch (status) {
    case 400:
      return "Bad Request";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    default:
      return "HTTP Version Not Supported";
  }
}

}  // namespace

const RefusalText& text_of(Refusal refusal) { return kTexts.at(static_cast<std::size_t>(refusal)); }

std::string answer_of(Refusal refusal, std::string_view allowed_method, bool close) {
  const auto& [status, reason, text] = text_of(refusal);
  std::string answer = fmt::format("HTTP/1.1 {} {}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n",
                                   status, phrase_of(status), text.size() + 1);
  if (refusal == Refusal::kWrongMethod) answer += fmt::format("Allow: {}\r\n", allowed_method);
  if (status == 429) answer += "Retry-After: 1\r\n";
  if (close) answer += "Connection: close\r\n";
  return answer + "\r\n" + std::string(text) + "\n";
}

}  // namespace toposeg::webhook
