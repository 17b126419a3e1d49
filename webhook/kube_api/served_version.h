// The version in which the API server has a resource, as its discovery documents tell.
#pragma once

#include <string>

#include "webhook/kube_api/client.h"
#include "webhook/kube_api/resource.h"

namespace toposeg::webhook::kube_api {

// The first of `resource.versions` that is served, else the first that the API server itself names: what is
// served by a cluster is better read by rules of another version than not at all. An error that
// answered(404) when there is no such resource in any version, or no such group. One call, and one for each
// version that is looked at.
[[nodiscard]] Answer<std::string> served_version(Client& client, const Resource& resource);

}  // namespace toposeg::webhook::kube_api
