#include "webhook/kube_api/resource.h"

#include <fmt/format.h>

namespace toposeg::webhook::kube_api {

namespace {

// Not isalnum(), which the locale changes.
bool is_unreserved(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

}  // namespace

std::string percent_encoded(std::string_view text) {
  std::string encoded;
  encoded.reserve(text.size());
  for (const char c : text) {
    if (is_unreserved(c)) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

std::string with_query(std::string path, const Query& query) {
  char separator = '?';
  for (const auto& [name, value] : query) {
    path += separator;
    path += percent_encoded(name);
    path += '=';
    path += percent_encoded(value);
    separator = '&';
  }
  return path;
}

std::string Resource::api_version() const { return group.empty() ? version : group + '/' + version; }

std::string Resource::name() const { return group.empty() ? plural : plural + '.' + group; }

std::string Resource::collection() const {
  const std::string root = group.empty() ? "/api/" + version : "/apis/" + group + '/' + version;
  return only_namespace.empty() ? root + '/' + plural
                                : root + "/namespaces/" + percent_encoded(only_namespace) + '/' + plural;
}

std::string Resource::target(Query query) const {
  Query all;
  if (!field_selector.empty()) all.emplace_back("fieldSelector", field_selector);
  if (!label_selector.empty()) all.emplace_back("labelSelector", label_selector);
  for (auto& entry : query) all.push_back(std::move(entry));
  return with_query(collection(), all);
}

}  // namespace toposeg::webhook::kube_api
