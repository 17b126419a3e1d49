// What a pod asks of a node in all: its containers together, or its largest init step, plus overhead.
// Kubernetes counts it so in the scheduler (KEP-753 sidecars, KEP-2837 pod-level resources).
#pragma once

#include "common/base/error.h"
#include "common/json/decode.h"
#include "common/kube/records.h"

namespace toposeg::kube {

// A quantity map such as spec.containers[0].resources.requests. Null members are skipped; numbers are taken
// as YAML writes them (cpu: 1, cpu: 0.5).
[[nodiscard]] Result<ResourceList> read_resources(const json::Document* map, const std::string& where);

// Per resource the larger of (sum of containers and sidecars) and (each init container plus the sidecars
// before it), plus overhead; pod-level resources win where set; a limit without a request is the request.
// `allocated` gives, per container name, what a running pod was allocated (in-place resize): the larger
// counts. May be null.
[[nodiscard]] Result<ResourceList> effective_request(const json::Document& spec, const json::Document* status,
                                                     const std::string& where);

}  // namespace toposeg::kube
