#include "webhook/kube_api/served_version.h"

#include <algorithm>
#include <vector>

#include "common/json/pointer.h"

namespace toposeg::webhook::kube_api {
namespace {

using json::Document;

constexpr int kNotFound = 404;

// The member `name` of each object in the list `list`.
std::vector<std::string> names_in(const Document& document, const char* list, const char* name) {
  std::vector<std::string> names;
  const Document* items = json::member(&document, list);
  if (items == nullptr || !items->is_array()) return names;
  for (const Document& item : *items) {
    if (const std::string* text = json::text(json::member(&item, name))) names.push_back(*text);
  }
  return names;
}

Answer<std::vector<std::string>> ask(Client& client, const std::string& target, const char* list,
                                     const char* name) {
  const auto text = client.get(target);
  if (!text) return std::unexpected(text.error());
  const auto document = json::decode(*text);
  if (!document) return failed(Failure::kMalformed, Code::kInvalid, document.error().text(), "GET " + target);
  return names_in(*document, list, name);
}

// Ours first, in our order, then the others in the API server's.
std::vector<std::string> candidates(const std::vector<std::string>& ours,
                                    const std::vector<std::string>& served) {
  std::vector<std::string> order;
  for (const std::string& version : ours) {
    if (std::find(served.begin(), served.end(), version) != served.end()) order.push_back(version);
  }
  for (const std::string& version : served) {
    if (std::find(ours.begin(), ours.end(), version) == ours.end()) order.push_back(version);
  }
  return order;
}

}  // namespace

Answer<std::string> served_version(Client& client, const Resource& resource) {
  const std::string group = "/apis/" + resource.group;
  const auto served = ask(client, group, "versions", "version");
  if (!served) return std::unexpected(served.error());
  for (const std::string& version : candidates(resource.versions, *served)) {
    const auto plurals = ask(client, group + '/' + version, "resources", "name");
    if (!plurals && plurals.error().answered(kNotFound)) continue;  // it went in between
    if (!plurals) return std::unexpected(plurals.error());
    if (std::find(plurals->begin(), plurals->end(), resource.plural) != plurals->end()) return version;
  }
  return std::unexpected(
      refused(kNotFound, "no version of " + resource.name() + " is served", "", "GET " + group));
}

}  // namespace toposeg::webhook::kube_api
