#include "webhook/program/wrap_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "common/json/pointer.h"

namespace toposeg::webhook {
namespace {

using json::Document;

std::string resource_of(std::string kind) {
  std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return std::tolower(c); });
  if (kind.ends_with('y')) return kind.substr(0, kind.size() - 1) + "ies";
  return kind + "s";
}

}  // namespace

Document wrap_object(Document object, const Sender& sender, unsigned number) {
  const std::string api_version = json::member_text(&object, "apiVersion");
  const std::size_t slash = api_version.find('/');
  const std::string group = slash == std::string::npos ? std::string() : api_version.substr(0, slash);
  const std::string version = slash == std::string::npos ? api_version : api_version.substr(slash + 1);
  const std::string kind = json::member_text(&object, "kind");
  const bool namespaced = kind != "Topology";
  Document* metadata = object.contains("metadata") ? &object["metadata"] : nullptr;
  if (namespaced && metadata != nullptr && metadata->is_object() &&
      json::member_text(metadata, "namespace").empty()) {
    (*metadata)["namespace"] = sender.namespace_;  // as the API server does before it asks anybody
  }
  Document options{{"apiVersion", "meta.k8s.io/v1"}, {"kind", "CreateOptions"}};
  if (!sender.field_manager.empty()) options["fieldManager"] = sender.field_manager;
  Document request{{"uid", fmt::format("00000000-0000-4000-8000-{:012}", number)},
                   {"kind", {{"group", group}, {"version", version}, {"kind", kind}}},
                   {"resource", {{"group", group}, {"version", version}, {"resource", resource_of(kind)}}},
                   {"name", json::member_text(metadata, "name")},
                   {"operation", "CREATE"},
                   {"userInfo", {{"username", sender.user}, {"groups", sender.groups}}},
                   {"oldObject", nullptr},
                   {"dryRun", sender.dry_run},
                   {"options", std::move(options)}};
  if (namespaced)
    request["namespace"] = metadata != nullptr ? json::member_text(metadata, "namespace") : sender.namespace_;
  request["object"] = std::move(object);
  return {
      {"apiVersion", "admission.k8s.io/v1"}, {"kind", "AdmissionReview"}, {"request", std::move(request)}};
}

}  // namespace toposeg::webhook
