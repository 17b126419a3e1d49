// One JSON object of the API server's to a document, without what nobody here reads.
#pragma once

#include <string>
#include <string_view>

#include "common/json/decode.h"

namespace toposeg::kube {

enum class Filter {
  kRecords,  // for nodes, pods and topologies: what no record holds is dropped (images, env, probes, …)
  kWhole,    // for workloads: only metadata.managedFields is dropped
};

// `text` is one object, or an object around it such as a watch event; what is dropped is dropped at any depth
// and never built. `name` is what an error's `where` begins with. Refuses what json::decode() refuses, except
// that of a key that appears twice the last one wins, as in the API server's own decoder; of what is dropped
// only strings and brackets are looked at. kInvalid, or kTooLarge when nested deeper than 128 levels. Linear
// time; memory: what is kept. Thread safe.
[[nodiscard]] Result<json::Document> parse_object(std::string_view text, Filter filter,
                                                  const std::string& name);

}  // namespace toposeg::kube
