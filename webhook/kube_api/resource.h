// A kind of object at the API server, and the request targets by which it is asked for.
//
//   const Resource pods{.version = "v1", .plural = "pods", .kind = "Pod", .field_selector =
//   "spec.nodeName!="}; pods.target({{"limit", "500"}});   //
//   /api/v1/pods?fieldSelector=spec.nodeName%21%3D&limit=500
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toposeg::webhook::kube_api {

// NOLINTBEGIN(readability-redundant-member-init): GCC wants them in designated initialisers.

using Query = std::vector<std::pair<std::string, std::string>>;  // names and values, not encoded

// Everything outside the unreserved characters of RFC 3986 as %XX.
[[nodiscard]] std::string percent_encoded(std::string_view text);

// `path?name=value&…`, each name and value encoded; the path alone when the query is empty.
[[nodiscard]] std::string with_query(std::string path, const Query& query);

struct Resource {
  std::string group{};           // empty = the core group
  std::string version{};         // v1; of no meaning where `versions` are given
  std::string plural{};          // pods
  std::string kind{};            // Pod: given to list items, of which the API server leaves it out
  std::string only_namespace{};  // empty = all namespaces, and for what has none
  std::string field_selector{};
  std::string label_selector{};
  std::vector<std::string>
      versions{};  // those that we know, best first: the API server is asked which it has

  [[nodiscard]] std::string api_version() const;        // v1, kai.scheduler/v1alpha1
  [[nodiscard]] std::string name() const;               // pods, topologies.kai.scheduler
  [[nodiscard]] std::string collection() const;         // path of the list, without a query
  [[nodiscard]] std::string target(Query query) const;  // the list, with the selectors and the query
};

// NOLINTEND(readability-redundant-member-init)

}  // namespace toposeg::webhook::kube_api
