#include "webhook/kube_api/server_url.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/text.h"
#include "common/base/whole_number.h"

namespace toposeg::webhook::kube_api {

namespace {

std::unexpected<Error> wrong(std::string_view url, const std::string& where) {
  return fail(Code::kInvalid,
              fmt::format("{} is no address of an API server; expected https://HOST:PORT", quote(url)),
              where);
}

// Visible ASCII: what else a request line would be made of could end it.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7F'; });
}

bool read_port(std::string_view text, std::uint16_t& port) {
  port = whole_number<std::uint16_t>(text).value_or(0);
  return port != 0;
}

}  // namespace

Result<ServerUrl> parse_server_url(std::string_view url, const std::string& where) {
  constexpr std::string_view kScheme = "https://";
  if (url.starts_with("http://")) {
    return fail(Code::kInvalid, fmt::format("{} is not encrypted; expected https://HOST:PORT", quote(url)),
                where);
  }
  if (!url.starts_with(kScheme) || !is_plain(url)) return wrong(url, where);
  std::string_view rest = url.substr(kScheme.size());
  ServerUrl parsed;
  const auto slash = rest.find('/');
  if (slash != std::string_view::npos) parsed.base_path = rest.substr(slash);
  while (parsed.base_path.ends_with('/')) parsed.base_path.pop_back();
  rest = rest.substr(0, slash);
  std::string_view port;
  if (rest.starts_with('[')) {
    const auto bracket = rest.find(']');
    if (bracket == std::string_view::npos) return wrong(url, where);
    parsed.host = rest.substr(1, bracket - 1);
    port = rest.substr(bracket + 1);
  } else {
    const auto colon = rest.find(':');
    parsed.host = rest.substr(0, colon);
    if (colon != std::string_view::npos) port = rest.substr(colon);
  }
  const bool has_query = parsed.base_path.find_first_of("?#") != std::string::npos;
  if (parsed.host.empty() || parsed.host.find_first_of("@?#[]") != std::string::npos || has_query) {
    return wrong(url, where);
  }
  if (!port.empty() && (!port.starts_with(':') || !read_port(port.substr(1), parsed.port)))
    return wrong(url, where);
  return parsed;
}

}  // namespace toposeg::webhook::kube_api
